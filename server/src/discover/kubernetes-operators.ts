/** What an operator makes of its resource: its kind in the map, and the Services by which others reach it; `*` is its name. */
interface Operated {
  resourceKind: string;
  hosts: readonly string[];
}

const made = (resourceKind: string, hosts = "*"): Operated => ({ resourceKind, hosts: hosts.split(" ") });

/** Databases, caches and queues that operators run, by API group and kind, with the Services that each operator documents. */
const OPERATED: Readonly<Record<string, Operated>> = {
  "postgresql.cnpg.io/Cluster": made("database", "*-rw *-ro *-r"),
  "acid.zalan.do/postgresql": made("database", "* *-repl *-pooler *-pooler-repl"),
  "postgres-operator.crunchydata.com/PostgresCluster": made("database", "*-primary *-replicas *-ha *-pgbouncer"),
  "pgv2.percona.com/PerconaPGCluster": made("database", "*-primary *-replicas *-ha *-pgbouncer"),
  "mysql.oracle.com/InnoDBCluster": made("database", "* *-instances"),
  "pxc.percona.com/PerconaXtraDBCluster": made("database", "*-haproxy *-haproxy-replicas *-proxysql *-pxc"),
  "k8s.mariadb.com/MariaDB": made("database", "* *-primary *-secondary *-internal"),
  "psmdb.percona.com/PerconaServerMongoDB": made("database", "*-rs0 *-mongos"),
  "mongodbcommunity.mongodb.com/MongoDBCommunity": made("database", "*-svc"),
  "scylla.scylladb.com/ScyllaCluster": made("database", "*-client"),
  "clickhouse.altinity.com/ClickHouseInstallation": made("database", "clickhouse-*"),
  "databases.spotahome.com/RedisFailover": made("cache", "rfs-* rfrm-* rfrs-* rfr-*"),
  "redis.redis.opstreelabs.in/Redis": made("cache"),
  "redis.redis.opstreelabs.in/RedisCluster": made("cache", "*-leader *-follower *-master"),
  "redis.redis.opstreelabs.in/RedisReplication": made("cache", "* *-master *-replica"),
  "dragonflydb.io/Dragonfly": made("cache"),
  "kafka.strimzi.io/Kafka": made("queue", "*-kafka-bootstrap *-kafka-brokers"),
  "rabbitmq.com/RabbitmqCluster": made("queue", "* *-nodes"),
  "elasticsearch.k8s.elastic.co/Elasticsearch": made("search", "*-es-http"),
  "opensearch.opster.io/OpenSearchCluster": made("search"),
  "minio.min.io/Tenant": made("storage", "*-hl"),
};

/** What stands behind an operator's resource of this `apiVersion` and kind; null where it is none that we know. */
export function operatedBy(apiVersion: string, kind: string, name: string): { resourceKind: string; hosts: string[] } | null {
  const key = `${apiVersion.replace(/\/.*$/s, "")}/${kind}`;
  const known = Object.hasOwn(OPERATED, key) ? OPERATED[key] : undefined;
  return known ? { resourceKind: known.resourceKind, hosts: known.hosts.map((host) => host.replace("*", name)) } : null;
}
