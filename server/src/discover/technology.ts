import { fold } from "./names.ts";

/** Products by what they are to those who need them. The words are folded names of images, schemes and components. */
const PRODUCTS: Readonly<Record<string, string>> = {
  database:
    "postgres postgresql postgis pgvector timescaledb timescale pgpool pgbouncer citus mysql mariadb percona perconaserver mssql mssqlserver sqlserver oracle oracledb oraclexe mongo mongodb mongodbcommunityserver couchdb couchbase cassandra scylla scylladb cockroach cockroachdb clickhouse clickhouseserver influxdb influx neo4j dynamodb dynamodblocal cosmosdb db2 firebird tidb yugabyte yugabytedb azuresqledge arangodb rethinkdb surrealdb dgraph questdb alloydb spanner firestore qdrant weaviate milvus chromadb sql jdbc odbc aurora edgedb rqlite ferretdb",
  cache:
    "redis redisstack redisstackserver valkey keydb dragonfly dragonflydb memcached memcache hazelcast ehcache varnish rediscluster redissentinel",
  queue:
    "rabbitmq rabbit kafka confluentkafka cpkafka cpserver redpanda nats natsstreaming activemq artemis activemqartemis pulsar amqp mqtt mosquitto emqx sqs servicebus eventhubs pubsub nsq nsqd zeromq stan kinesis jms ibmmq elasticmq localstacksqs beanstalkd gearman",
  search: "elasticsearch opensearch solr meilisearch typesense sphinx manticore elastic",
  storage: "minio s3 azurite gcs ceph seaweedfs fakegcsserver blobstorage objectstorage ftp sftp smb nfs",
  "external-api": "smtp smtps mailhog mailpit mailcatcher",
  identity: "ldap ldaps openldap",
  coordination: "zookeeper etcd",
};
const KINDS = new Map(Object.entries(PRODUCTS).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)));

/** Names that say what a thing is and not which one: two services with a `db` each need not share it. */
const GENERIC = new Set(
  "db database datasource data store datastore sql cache queue broker bus messagebus messaging message mq eventbus events search index storage objectstore blob bucket mail email session sessions lock primary replica readreplica reader writer dbcontext applicationdbcontext redisconnection dbconnection databaseconnection externalapi".split(
    " ",
  ),
);
const GENERIC_KIND: Readonly<Record<string, string>> = {
  database: "db database datasource sql dbcontext applicationdbcontext dbconnection databaseconnection primary replica readreplica",
  cache: "cache redisconnection session sessions",
  queue: "queue broker bus messagebus messaging message mq eventbus",
  search: "search index",
  storage: "storage objectstore blob bucket",
};
const GENERIC_KINDS = new Map(
  Object.entries(GENERIC_KIND).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);

/** Its loss is noticed by its owner alone. */
const TELEMETRY =
  /^(?:jaeger|zipkin|tempo|loki|mimir|prometheus|pushgateway|grafana|alertmanager|otel|otelcol|opentelemetry|opencensus|ocagent|collector|statsd|graphite|telegraf|fluentd?|fluent-?bit|filebeat|metricbeat|logstash|vector|datadog|dd-?agent|newrelic|sentry|splunk|promtail|alloy|skywalking|elastic-?apm|apm-?server)(?:[-_. ]?(?:agent|collector|server|all-?in-?one|query|gateway|exporter|hotrod)\w*)*$/i;

/** Where it is sold. */
const TELEMETRY_HOST =
  /(?:^|\.)(?:sentry\.io|datadoghq\.(?:com|eu)|newrelic\.com|nr-data\.net|honeycomb\.io|grafana\.net|logz\.io|splunkcloud\.com|signalfx\.com|dynatrace\.com|bugsnag\.com|rollbar\.com|applicationinsights\.azure\.com)$/i;

export const isTelemetry = (name: string) => TELEMETRY.test(name) || TELEMETRY_HOST.test(name);

/** What a component, scheme or resource type of this name is; null where the name tells nothing. */
export function kindOfWord(word: string): string | null {
  const whole = fold(word);
  const known = KINDS.get(whole) ?? GENERIC_KINDS.get(whole);
  if (known) return known;
  const parts = word
    .toLowerCase()
    .split(/[-_. /]+/)
    .filter(Boolean);
  const last = parts.at(-1) ?? "";
  if (last === "db" || last === "database") return "database";
  if (last === "cache" || last === "queue" || last === "broker") return last === "cache" ? "cache" : "queue";
  if (parts.some((part) => USES.test(part))) return null;
  return KINDS.get(last) ?? KINDS.get(parts[0] ?? "") ?? null;
}

/** Something beside a product, or that uses it, is not the product. */
const USES =
  /^(?:exporter|admin|ui|console|commander|proxy|operator|backup|client|tools?|migrat\w*|insight|express|manager|consumer|listener|producer|publisher|subscriber|worker|gateway|service|svc|adapter|connector|bridge|api|sync|loader|init|setup|job)$/;

/** Products that are asked over HTTP, so that the scheme does not tell them from a service. */
const OVER_HTTP = new Set(
  "elasticsearch opensearch solr meilisearch typesense manticore minio s3 seaweedfs couchdb influxdb clickhouse arangodb questdb dynamodb dynamodblocal qdrant weaviate milvus chromadb etcd".split(
    " ",
  ),
);

/** What a host inside is that is asked over HTTP: `elasticsearch`, `shop-minio`, `opensearch-cluster-master:9200`; null for a service. */
export function kindOverHttp(host: string, port: number | null): string | null {
  if (port === 9200) return "search";
  const first = host.split(".")[0] ?? host;
  const word = [first, first.split(/[-_]/).at(-1) ?? ""].map(fold).find((known) => OVER_HTTP.has(known));
  return word === undefined ? null : (KINDS.get(word) ?? null);
}

/** Whether a name says only what kind of thing it means. */
export const isGeneric = (name: string) => GENERIC.has(fold(name)) || KINDS.has(fold(name));

/** What a container image is: `bitnami/postgresql:16` is a database, `shop/orders` nothing of ours to know. */
export function kindOfImage(image: string): string | null {
  const path = image
    .toLowerCase()
    .replace(/@sha256:[0-9a-f]*$/, "")
    .replace(/:[^/]*$/, "");
  const names = path.split("/");
  // `mcr.microsoft.com/mssql/server`: the last name says nothing of its own.
  const last =
    (/^(?:server|database|free|enterprise|community)$/.test(names.at(-1) ?? "") ? names.at(-2) : undefined) ?? names.at(-1) ?? path;
  // An exporter, a console or a client of a database is none.
  if (
    /(?:exporter|admin|ui|console|commander|proxy|operator|backup|client|tools?|migrat\w*|insight|express|manager|control-center|schema-registry|connect|rest)$/.test(
      last,
    )
  )
    return null;
  const known = KINDS.get(fold(last)) ?? KINDS.get(last.split(/[-_.]/)[0] ?? last);
  if (known) return known;
  // Of somebody's own image only the name's end tells: `weaveworksdemos/catalogue-db`.
  return /[-_.](?:db|database|postgres|mysql|mongo(?:db)?|redis)$/.test(last) ? (kindOfWord(last) ?? null) : null;
}

/** URL schemes behind which a resource stands. */
const SCHEMES: Readonly<Record<string, string>> = {
  postgres: "database",
  postgresql: "database",
  "postgresql+asyncpg": "database",
  mysql: "database",
  mysql2: "database",
  mariadb: "database",
  mssql: "database",
  sqlserver: "database",
  oracle: "database",
  mongodb: "database",
  "mongodb+srv": "database",
  couchdb: "database",
  cassandra: "database",
  cockroach: "database",
  cockroachdb: "database",
  clickhouse: "database",
  neo4j: "database",
  "neo4j+s": "database",
  bolt: "database",
  influxdb: "database",
  redis: "cache",
  rediss: "cache",
  valkey: "cache",
  memcached: "cache",
  memcache: "cache",
  amqp: "queue",
  amqps: "queue",
  kafka: "queue",
  nats: "queue",
  mqtt: "queue",
  mqtts: "queue",
  pulsar: "queue",
  "pulsar+ssl": "queue",
  stomp: "queue",
  activemq: "queue",
  elasticsearch: "search",
  opensearch: "search",
  solr: "search",
  smtp: "external-api",
  smtps: "external-api",
  ldap: "identity",
  ldaps: "identity",
  zookeeper: "coordination",
  zk: "coordination",
  etcd: "coordination",
};

/** What stands behind a scheme; null for http, grpc, tcp and all that tells nothing. `postgresql+psycopg2` is `postgresql`. */
export function kindOfScheme(scheme: string): string | null {
  const lower = scheme.toLowerCase();
  return (
    (Object.hasOwn(SCHEMES, lower) ? SCHEMES[lower] : undefined) ??
    (Object.hasOwn(SCHEMES, lower.split("+")[0] ?? "") ? SCHEMES[lower.split("+")[0] ?? ""] : undefined) ??
    null
  );
}

const PORTS = new Map<number, string>([
  [5432, "database"],
  [3306, "database"],
  [1433, "database"],
  [1521, "database"],
  [27017, "database"],
  [9042, "database"],
  [26257, "database"],
  [7687, "database"],
  [6379, "cache"],
  [11211, "cache"],
  [5672, "queue"],
  [5671, "queue"],
  [9092, "queue"],
  [9093, "queue"],
  [4222, "queue"],
  [1883, "queue"],
  [8883, "queue"],
  [61616, "queue"],
  [6650, "queue"],
  [9200, "search"],
  [2181, "coordination"],
  [2379, "coordination"],
  [389, "identity"],
  [636, "identity"],
  [25, "external-api"],
  [587, "external-api"],
  [465, "external-api"],
]);

/** What usually listens on a port; null where nothing in particular does. */
export const kindOfPort = (port: number) => PORTS.get(port) ?? null;
