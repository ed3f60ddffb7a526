import { placeOf, type ScalarNode, textOf } from "../tree.ts";

const CLIENTS = new Set(
  "psql pg_isready mysql mysqladmin mariadb mariadb-admin redis-cli valkey-cli keydb-cli mongo mongosh cqlsh sqlcmd sqlplus clickhouse-client clickhouse influx cockroach etcdctl cypher-shell pgcli mycli nodetool".split(
    " ",
  ),
);
/** Ways to name the host besides an address of the form scheme://host or a bare word. */
const HOST_OPTION = /^(?:-h|-H|-S|-host|--host|--hostname|--server)$/;
const HOST_INLINE = /^(?:--host|--hostname|--server|host|PGHOST|MYSQL_HOST)=(.+)$/;
const GLUED = /^-[hS](?=[^-\s=])(.+)$/;
const SELF =
  /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\]|0\.0\.0\.0|\/.*|\.|\$[({]?(?:POD_IP|POD_NAME|POD_HOST|HOSTNAME|HOST_IP|hostname(?: -[a-zA-Z])?|MY_POD_[A-Z]+)[)}]?)$/;

/** One word of a command, and the line on which it stands. */
export interface Word {
  text: string;
  line: number;
}

/** The words of a command, taken out of shell lines too. */
export function wordsOf(parts: readonly ScalarNode[]): Word[] {
  return parts.flatMap((part) => {
    const text = textOf(part);
    const { line } = placeOf(part);
    // The text of a block scalar begins on the line after its indicator.
    const first = text.includes("\n") && !part.source.startsWith("'") ? line + 1 : line;
    return text.split("\n").flatMap((row, index) =>
      row
        .split(/[\s;|&]+/)
        .map((word) => word.replace(/^["'(]+|["']+$/g, ""))
        .filter((word) => word !== "")
        .map((word) => ({ text: word, line: text.includes("\n") ? first + index : line })),
    );
  });
}

const baseName = (word: string) => word.replace(/^.*\//, "");

/**
 * The line of a database client that asks another host than its own; null where there is none. `own` are the names under
 * which the workload may ask itself; `env` the variables of the container that have a plain value.
 */
export function foreignClient(
  parts: readonly ScalarNode[],
  own: readonly string[],
  env: ReadonlyMap<string, string>,
): { line: number; client: string } | null {
  const words = wordsOf(parts);
  for (const [index, word] of words.entries()) {
    const client = baseName(word.text);
    if (!CLIENTS.has(client)) continue;
    const before = words.slice(0, index).map(({ text }) => text);
    const after = words.slice(index + 1).map(({ text }) => text);
    const host = hostOf(client, before, after) ?? (POSTGRES.has(client) ? env.get("PGHOST") : undefined);
    if (host !== undefined && !isSelf(hostIn(withValues(host, env)), own)) return { line: word.line, client };
  }
  return null;
}

const POSTGRES = new Set(["psql", "pg_isready"]);

/** Replaces `$(NAME)`, `${NAME}` and `$NAME` where the container sets them plainly. */
const withValues = (text: string, env: ReadonlyMap<string, string>) =>
  text.replace(/\$[({]?(\w+)[)}]?/g, (whole, name: string) => env.get(name) ?? whole);

function hostOf(client: string, before: readonly string[], after: readonly string[]): string | undefined {
  for (const word of before) {
    const inline = /^(?:PGHOST|MYSQL_HOST)=(.+)$/.exec(word)?.[1];
    if (inline) return inline;
  }
  for (const [index, word] of after.entries()) {
    if (HOST_OPTION.test(word)) return after[index + 1];
    const named = HOST_INLINE.exec(word)?.[1] ?? GLUED.exec(word)?.[1] ?? SCHEME.exec(word)?.[1];
    if (named) return named;
  }
  const variable = after.find((word) => ADDRESS_VARIABLE.test(word));
  if (variable) return variable;
  if (client === "cqlsh") return firstArgument(after);
  if (client === "sqlplus") return after.map((word) => /@(?:\/\/)?([\w.-]+)/.exec(word)?.[1]).find(Boolean);
  if (client.startsWith("mongo")) return after.map((word) => /^([\w.-]+)(?::\d+)?\/\w+$/.exec(word)?.[1]).find(Boolean);
  return undefined;
}

const CQLSH_VALUE = /^(?:-[upk]|--(?:username|password|keyspace|connect-timeout|request-timeout|cqlversion|encoding))$/;
const CQLSH_FLAG = /^(?:-C|--(?:color|no-color|ssl|no-compact|\w[\w-]*=.*))$/;

/** The first word of cqlsh that is no option; where an option holds more than one word, nobody can tell. */
function firstArgument(after: readonly string[]): string | undefined {
  let at = 0;
  for (let word = after[at] ?? ""; CQLSH_VALUE.test(word) || CQLSH_FLAG.test(word); word = after[at] ?? "")
    at += CQLSH_VALUE.test(word) ? 2 : 1;
  return after.slice(at, at + 1).find((word) => !word.startsWith("-"));
}

/** A variable that holds a whole address. */
const ADDRESS_VARIABLE = /^\$[({]?\w*(?:URL|URI|DSN|CONN(?:ECTION)?(?:_?STR(?:ING)?)?)[)}]?$/i;

/** The host in `scheme://user@host:port/…`. */
const SCHEME = /^(?:--?[\w-]+=)?[a-z][a-z0-9+]*:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/?]+)/i;

/** The host of an address that came out of a variable. */
const hostIn = (value: string) => SCHEME.exec(value)?.[1] ?? value;

/** Its own name, also as `NAME-0.NAME.namespace`, a pod of a stateful set. */
function isSelf(host: string, own: readonly string[]): boolean {
  const bare = host.replace(/^tcp:/, "").replace(/(?<=^[^:]+):\d+$|,\d+$/, "");
  const first = bare.split(".")[0] ?? bare;
  return (
    SELF.test(bare) || own.some((name) => first === name || (first.startsWith(`${name}-`) && /^\d+$/.test(first.slice(name.length + 1))))
  );
}

const MIGRATION =
  /\bmigrat(?:e|es|ions?)\b|\bmigrate[-:_]|\bdb:(?:prepare|setup)\b|\balembic\b.*\bupgrade\b|\bflyway\b|\bliquibase\b.*\bupdate\b|\bef\s+database\s+update\b|\bprisma\s+db\s+push\b|\bgoose\b.*\bup\b|\bdbmate\b.*\bup\b/i;

/** The line of the command on which a container migrates before it serves; null where it does not. */
export function migratesFirst(parts: readonly ScalarNode[]): number | null {
  for (const part of parts) {
    const text = textOf(part);
    const steps = text
      .split(/&&|;|\n/)
      .map((step) => step.trim())
      .filter((step) => step !== "" && !step.startsWith("#"));
    const at = steps.findIndex((step) => MIGRATION.test(step) && !/^(?:exec\s|echo\s|set\s)/.test(step));
    const last = steps.length - 1;
    if (
      at < 0 ||
      (at === last && !/migrat\w*[-_](?:and|then)[-_]|[-_]with[-_]migrat|--(?:run-|auto-)?migrat(?:e|ions?)(?=$|\s)/i.test(text))
    )
      continue;
    const { line } = placeOf(part);
    if (!text.includes("\n")) return line;
    return line + 1 + text.split("\n").findIndex((row) => MIGRATION.test(row) && !row.trim().startsWith("#"));
  }
  return null;
}

/** Variables that tell an application to migrate as it starts. */
export const isMigrationSwitch = (name: string, value: string) =>
  /(?:^|_)(?:RUN|AUTO|APPLY)_?(?:\w+_)?MIGRAT|MIGRAT\w*_(?:ON_)?(?:START|STARTUP|BOOT)$/i.test(name) && /^(?:1|true|yes|on)$/i.test(value);
