import { describe, expect, test } from "vitest";
import { mentionsIn, mentionsInCommand } from "../../../server/src/discover/addresses.ts";

const CASES: [name: string, value: string, hosts: string[]][] = [
  ["DATABASE_URL", "postgres://u:p@db:5432/x", ["db database url"]],
  ["DATABASE_URL", "postgresql+asyncpg://u:p@db/x", ["db database url"]],
  ["DB", "jdbc:postgresql://h1:5432,h2:5433/x?user=u&password=p", ["h1 database url", "h2 database url"]],
  ["DB", "r2dbc:pool:postgresql://u:p@db:5432/x", ["db database url"]],
  ["DB", "jdbc:sqlserver://sql:1433;databaseName=x;password=a@b", ["sql database url"]],
  ["DB", "jdbc:oracle:thin:@//ora.internal:1521/svc", ["ora.internal database url"]],
  ["MONGO", "mongodb+srv://u:p%40ss@cluster0.abc.mongodb.net/x", ["cluster0.abc.mongodb.net database url"]],
  ["MONGO", "mongodb://u:p@m1:27017,m2:27017,m3:27017/x?replicaSet=r", ["m1 database url", "m2 database url", "m3 database url"]],
  ["ConnectionStrings__Default", "Server=tcp:sql.internal,1433;Database=x;User Id=u;Password=p;", ["sql.internal database pair"]],
  ["DSN", "host=db port=5432 user=u password=p dbname=x", ["db database pair"]],
  ["DSN", "user:p@ss@tcp(mysql:3306)/x", ["mysql database url"]],
  ["KAFKA_BROKERS", "kafka-1:9092,kafka-2:9092", ["kafka-1 queue pair", "kafka-2 queue pair"]],
  ["CACHE", "redis://:p#a/ss@cache:6379/0", ["cache cache url"]],
  ["CACHE", "rediss://default:p?q@cache.internal:6380", ["cache.internal cache url"]],
  ["AMQP", "amqp://guest:guest@mq", ["mq queue url"]],
  ["ORDERS_URL", "https://orders.shop.svc.cluster.local/api?x=http://other", ["orders.shop.svc.cluster.local - url"]],
  ["ORDERS_ADDR", "dns:///orders:50051", ["orders - url"]],
  ["ORDERS_HOST", "orders", ["orders - pair"]],
  ["REDIS_HOST", "session-store", ["session-store cache pair"]],
  ["PAYMENT_SERVICE", "payment", ["payment - word"]],
  ["IMAGE", "postgres:16", ["postgres - word"]],
  ["DATABASE_URL", "postgres://u:\u0024{PASS}@db/x", ["db database url"]],
  ["DATABASE_URL", "postgres://u:p@\u0024{HOST}/x", []],
  ["URL", "http://localhost:8080/x", []],
  ["URL", "http://127.0.0.1:8080,http://[::1]:80", []],
  ["DB_HOST", "10.0.0.5:5432", []],
  ["PUBLIC_URL", "https://shop.example.com", []],
  ["ALLOWED_ORIGINS", "https://shop.example.com", []],
  ["NEXT_PUBLIC_API_URL", "http://api:8080", ["api - url"]],
  ["TIME", "12:30", []],
  ["APP_NAME", "orders", []],
  ["PASSWORD", "hunter2", []],
  ["DATABASE_URL", "sqlite:///data/x.db", []],
  ["SOCKET", "unix:///var/run/docker.sock", []],
];

describe("of a configuration value only hosts are taken", () => {
  test.each(CASES)("%s=%s", (name, value, hosts) => {
    expect(mentionsIn(name, value).map(({ host, resourceKind, form }) => `${host} ${resourceKind ?? "-"} ${form}`)).toEqual(hosts);
  });

  test("nothing before the @ ever is", () => {
    const secrets = ["hunter2", "p@ss", "a/b", "a#b", "a?b", "a:b", "ünï", "%41"];
    for (const secret of secrets) {
      for (const { host } of mentionsIn("URL", `postgres://user:${secret}@db:5432/x`)) expect([host, secret]).toEqual(["db", secret]);
    }
  });

  test("long and hostile values end soon", () => {
    for (const value of [
      "a.".repeat(50_000),
      "host=".repeat(20_000),
      "a-".repeat(50_000),
      `http://${"a:b@".repeat(20_000)}`,
      "://".repeat(30_000),
    ])
      expect(mentionsIn("X_HOST", value).length).toBeLessThanOrEqual(50);
  });
});

describe("of a command hosts are taken", () => {
  test.each([
    ["/payment -port=80 --broker=amqp://guest:guest@rabbitmq:5672/", false, ["rabbitmq"]],
    ["-d 60 -r 200 -h edge-router", false, ["edge-router"]],
    ["until nc -z orders-db 5432; do sleep 1; done", true, ["until", "nc", "orders-db", "do", "sleep", "done"]],
    ["serve --port 8080", false, []],
  ])("%s", (command, bare, hosts) => {
    expect(mentionsInCommand(command, bare).map(({ host }) => host)).toEqual(hosts);
  });
});
