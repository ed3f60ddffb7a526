import type { Unit } from "./durations.ts";
import type { Json } from "./json.ts";
import { fold } from "./vocabulary.ts";

/** What a key of a check is for. Keys are compared folded: `responseTimeMs`, `response_time_ms` and `ResponseTimeMs` are one. */
export type Role =
  | "word"
  | "hint"
  | "flag"
  | "name"
  | "error"
  | Unit
  | "length"
  | "time"
  | "ageMs"
  | "ageSeconds"
  | "criticality"
  | "needed"
  | "optional"
  | "strong"
  | "weak"
  | "envelope"
  | "past"
  | "pair"
  | "nanos";

const ROLES = new Map<string, Role>();
function role(name: Role, keys: string): void {
  for (const key of keys.split(" ")) ROLES.set(key, name);
}
role(
  "word",
  "status state health condition outcome globalstatus overallstatus healthstatus aggregatedstatus currentstatus checkstatus overallhealth overall",
);
// Words only where they are known ones: often plain data.
role("hint", "result level severitylevel live");
role(
  "flag",
  "healthy ok ishealthy success pass passed passing connected isconnected up isup available isavailable alive isalive reachable isreachable ready isready online isonline working operational",
);
role(
  "name",
  "name key id component componentname checkname checker service servicename serviceid check checkid label title alias dependency dependencyname resource resourcename",
);
role(
  "error",
  "error errormessage message msg output description reason exception err errmsg lasterror failure rootcause cause detail symptom summary notificationmessage checkoutput failurereason errors reasons causes",
);
const LENGTHS =
  "latency responsetime duration elapsed took elapsedtime executiontime timetaken rtt roundtrip ping checkduration time response total".split(
    " ",
  );
const UNITS: Readonly<Record<Unit, string>> = {
  ns: "ns nanos nanoseconds",
  us: "us µs micros microseconds",
  ms: "ms millis milliseconds msec",
  s: "s sec secs seconds",
};
// A time in seconds is an epoch more often than a length.
for (const unit of ["ns", "us", "ms", "s"] as const)
  for (const length of LENGTHS)
    for (const suffix of UNITS[unit].split(" ")) {
      ROLES.set(`${length}in${suffix}`, unit);
      if (unit !== "s" || !["time", "response", "total", "ping", "took"].includes(length)) ROLES.set(`${length}${suffix}`, unit);
    }
role("ms", "ms");
role("length", LENGTHS.filter((length) => !["time", "response", "total"].includes(length)).join(" "));
role(
  "time",
  "timestamp time lastchecked lastcheck lastcheckedat lastcheckat checkedat checktime lastchecktime lastupdated lastupdatedat updatedat lastrun lastrunat lastexecuted checked lastprobe lastprobetime lastpolled",
);
role("ageMs", "agems agemillis");
role("ageSeconds", "ageseconds agesec ages");
role("criticality", "criticality importance");
role("needed", "critical iscritical required isrequired essential mandatory fatal");
role("optional", "optional isoptional noncritical");
role(
  "strong",
  "checks components services dependencies results entries indicators healthchecks checkresults subsystems modules probes children subcomponents connections backends upstreams statuses dependents integrations resources nodes instances resulttree plugins childs deps entities tests",
);
role("weak", "details info error data");
role("envelope", "payload response body report attributes");
// What was: an old failure is none now.
role("past", "history histories events log logs incidents incident timeline previous past audit changes");
// The verdict in a pair of name and value, where nothing else is one.
role("pair", "value");
role("nanos", "contiguousfailures");

/** The role of a key, by its folded spelling; undefined for data. */
export function roleOf(key: string): Role | undefined {
  return ROLES.get(fold(key));
}

/** Keys among which `pick` looks for another spelling. */
const MAX_KEYS = 100;

/** The first of some keys, folded, that the object has. */
export function pick(object: Json, ...folded: string[]): unknown {
  for (const wanted of folded) if (Object.hasOwn(object, wanted)) return object[wanted];
  let seen = 0;
  for (const key in object) {
    seen += 1;
    if (seen > MAX_KEYS) return undefined;
    if (folded.includes(fold(key))) return object[key];
  }
  return undefined;
}

/** Top-level texts that describe the service and are no checks, though their values may be words of the vocabulary. */
const ABOUT = new Set(
  "version env environment mode stage profile appname host hostname machine node region zone cluster uptime commit build branch tag tags title role user tier platform os arch language runtime pid note notes docs documentation url path locale timezone type kind phase color colour release releaseid serviceid instanceid requestid traceid success statustext statusmessage statusdescription statuscode serverstate serverstatus appstate appstatus servicestate servicestatus nodestate nodestatus clusterstate plan mood theme debug test severity loglevel".split(
    " ",
  ),
);

/** True for a top-level key that tells about the service and is no check. */
export function isAbout(key: string): boolean {
  return ABOUT.has(fold(key));
}

const NOUN =
  "db|database|datastore|sql|mysql|mariadb|maria|postgres|postgresql|pg|mongo|mongodb|redis|cache|memcached?|queues?|rabbit|rabbitmq|kafka|nats|broker|mq|amqp|elastic|elasticsearch|opensearch|search|solr|storage|disk|filesystem|s3|bucket|blob|smtp|mail|mailer|email|ldap|vault|consul|etcd|zookeeper|cassandra|clickhouse|neo4j|influx|influxdb|minio|gateway|upstream|backend|worker|workers|celery|sidekiq|scheduler|stripe|payments?|auth|identity|api|network|dns|internet|llm|openai|vectordb|qdrant";
const DEPENDENCY = new RegExp(
  `^(?:is)?(?:${NOUN})+(?:connection|connected|ok|healthy|up|alive|status|state|reachable|available|online|ready|health)?$`,
);

/** True for a key that names something a service depends on: `db`, `redisStatus`, `isKafkaConnected`. */
export function isDependency(key: string): boolean {
  return DEPENDENCY.test(fold(key));
}

const OF_CHECKS = /^dependenc|(?:status(?:es)?|health|checks?|connections?|connectivity)$/;

/** True for a key under which verdicts stand together: `connectivity: { db: "ok" }`, `dependency_status`, `db: { primary: "up" }`. */
export function tellsOfChecks(key: string): boolean {
  return OF_CHECKS.test(fold(key)) || isDependency(key);
}
