/** More manifests, in the form of `probe-forms.ts`: commands, clients and what stands outside Kubernetes. */
const dep = (name: string, body: string, kind = "Deployment") => `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: ${name}
spec:
  template:
    spec:
${body}`;
const ok = `          readinessProbe: { httpGet: { path: /readyz, port: 8080 }, periodSeconds: 5 }\n`;
const c = (name: string, probes: string, more = "") =>
  dep(
    name,
    `      containers:
        - name: main
          image: x
          ports: [ { name: http, containerPort: 8080 } ]
${more}${probes}`,
  );
const client = (cmd: string, hit: boolean, name = "search", more = "") => ({
  "a.yaml": c(
    name,
    `${ok}          livenessProbe:
            exec:
              command:
                - sh
                - -c
                - ${JSON.stringify(cmd)} ${hit ? "## exec-db-client" : ""}
            periodSeconds: 20
            timeoutSeconds: 5
`,
    more,
  ),
});
export const PROBE_CLIENTS: Record<string, Record<string, string>> = {
  "curl-options": {
    "a.yaml": c(
      "orders",
      `          readinessProbe:
            exec: { command: ["bash", "-c", "curl --fail --max-time 2 \\"http://localhost:8080/health/deep\\" | grep -q healthy"] } ## readiness-deep
            timeoutSeconds: 3
`,
    ),
  },
  "python-asks": {
    "a.yaml": c(
      "orders",
      `${ok}          livenessProbe:
            exec:
              command:
                - python
                - -c
                - "import urllib.request as u; u.urlopen('http://localhost:8080/health/deep', timeout=3)" ## liveness-deep
            timeoutSeconds: 1 ## timeout-short
            periodSeconds: 20
`,
    ),
  },
  "by-pod-ip": {
    "a.yaml": c(
      "orders",
      `          readinessProbe:
            exec:
              command: ["wget", "-qO-", "http://$(POD_IP):8080/health/deep"] ## readiness-deep
            timeoutSeconds: 2
`,
    ),
  },
  "node-asks-in-compose": {
    "compose.yml": `services:
  catalog:
    build: .
    healthcheck:
      test: ["CMD-SHELL", "node -e \\"fetch('http://127.0.0.1:8080/actuator/health').then(r => process.exit(r.ok ? 0 : 1))\\""] ## docker-healthcheck-deep:note
      interval: 30s
`,
  },
  "one-path-by-two-commands": {
    "a.yaml": c(
      "search",
      `          livenessProbe: { exec: { command: [curl, -f, "http://localhost:8080/healthz/"] }, periodSeconds: 20 }
          readinessProbe:
            exec: { command: [sh, -c, 'wget -qO- "http://127.0.0.1:8080/healthz"'] } ## same-path
`,
    ),
    "b.yaml": c(
      "search",
      `          livenessProbe: { exec: { command: [curl, -f, "http://localhost/healthz"] }, periodSeconds: 20 }
          readinessProbe: { httpGet: { path: /healthz, port: 8080 } }
`,
    ),
  },
  "compose-extends-and-disables": {
    "compose.yml": `x-check: &check
  test: curl -f http://localhost:8080/health/deep ## docker-healthcheck-deep:note
services:
  base:
    image: x
    healthcheck: *check
  orders:
    extends: { service: base }
    healthcheck: { retries: 5 }
  payments:
    extends: orders
    healthcheck: { test: [CMD, wget, "http://localhost:9000/v1/health"], disable: true }
  catalog:
    extends: { file: elsewhere.yml, service: base }
  loop: { extends: loop }
`,
  },
  "dockerfile-last-one-counts": {
    "orders/Dockerfile": `FROM x AS build
HEALTHCHECK CMD curl http://localhost:8080/health/deep ## docker-healthcheck-deep:note
FROM x
HEALTHCHECK CMD curl http://localhost:8080/health/deep
HEALTHCHECK CMD curl http://localhost:8080/livez
`,
  },
  "dockerfile-powershell": {
    "orders/Dockerfile": `FROM mcr.example/windows
HEALTHCHECK --interval=30s --start-period=10s CMD powershell -command "try { $r = Invoke-WebRequest http://localhost:8080/health/deep -UseBasicParsing; exit 0 } catch { exit 1 }" ## docker-healthcheck-deep:note
`,
  },
  "dockerfile-named": {
    "docker/orders.Dockerfile": `FROM x
HEALTHCHECK CMD curl http://localhost:8080/health/deep ## docker-healthcheck-deep:note
`,
    "docker/Dockerfile.payments": `FROM x
HEALTHCHECK CMD ["/bin/curl", "http://localhost:9000/v1/health"] ## docker-healthcheck-deep:note
`,
  },
  "no-ports-listed": {
    "a.yaml": dep(
      "search",
      `      containers:
        - name: search
          image: x
          livenessProbe: { httpGet: { path: /livez, port: 9999 } }
`,
    ),
  },
  "quoted-port": {
    "a.yaml": c(
      "search",
      `          readinessProbe: { httpGet: { path: /readyz, port: "8080" } }\n          livenessProbe: { tcpSocket: { port: htttp }, periodSeconds: 20 } ## port-not-exposed\n`,
    ),
  },
  "login-at-startup": {
    "a.yaml": c(
      "search",
      `${ok}          startupProbe:
            httpGet:
              path: /user/login ## redirect-or-auth
              port: http
`,
    ),
  },
  "startup-deep-default-timeout": {
    "a.yaml": c(
      "catalog",
      `${ok}          startupProbe: ## default-timeout
            httpGet: { path: /actuator/health, port: http }
            failureThreshold: 60
`,
    ),
  },
  "spring-groups": {
    "a.yaml": c(
      "catalog",
      `          readinessProbe: { httpGet: { path: /actuator/health/readiness, port: http }, periodSeconds: 5 }
          livenessProbe: { httpGet: { path: /actuator/health/liveness, port: http }, periodSeconds: 20 }
`,
    ),
  },
  "anchored-probe": {
    "a.yaml": c(
      "search",
      `          livenessProbe: &probe
            httpGet:
              path: /healthz ## same-path
              port: http
          readinessProbe: *probe
`,
    ),
  },
  "readiness-slower": {
    "a.yaml": c(
      "search",
      `          readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 30 }
          livenessProbe: { httpGet: { path: /livez, port: http } } ## liveness-aggressive
`,
    ),
  },
  "cloud-run-limit": {
    "a.yaml": `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: search, namespace: "123", labels: { cloud.googleapis.com/location: europe-west1 } }
spec:
  template:
    spec:
      containers:
        - image: x
          startupProbe: { tcpSocket: { port: 8080 }, periodSeconds: 30, timeoutSeconds: 5, failureThreshold: 8 }
`,
    "b.yaml": `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: search2, annotations: { run.googleapis.com/client-name: gcloud } }
spec:
  template:
    spec:
      containers:
        - image: x
          startupProbe:
            tcpSocket: { port: 8080 }
            periodSeconds: 60
            failureThreshold: 5 ## cloud-run-startup-window
`,
    "c.yaml": `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: search3, annotations: { run.googleapis.com/client-name: gcloud } }
spec:
  template:
    spec:
      containers:
        - image: x
          livenessProbe:
            httpGet: { path: /livez }
            initialDelaySeconds: 60 ## startup-missing
`,
  },
  crossplane: {
    "a.yaml": `apiVersion: web.azure.upbound.io/v1beta1
kind: LinuxWebApp
metadata:
  name: orders
spec:
  forProvider:
    siteConfig:
      - alwaysOn: true
        healthCheckPath: /health/deep ## health-check-path-deep:note
`,
  },
  "arm-slot-and-config": {
    "arm.json": `{
  "resources": [
    { "type": "Microsoft.Web/sites/slots", "name": "orders/staging",
      "properties": { "siteConfig": {
        "healthCheckPath": "/health/deep" ## health-check-path-deep:note
      } } },
    { "type": "Microsoft.Web/sites", "name": "[parameters('n')]", "properties": { "siteConfig": { "healthCheckPath": "/health/deep" } } }
  ]
}
`,
  },
  "bicep-symbol": {
    "app.bicep": `param appName string
resource orders 'Microsoft.Web/sites@2023-12-01' = {
  name: appName
  properties: {
    siteConfig: {
      linuxFxVersion: 'NODE|20'
      healthCheckPath: '/health/deep' ## health-check-path-deep:note
    }
  }
}
`,
  },
  "pulumi-without-name": {
    "Pulumi.yaml": `name: shop
runtime: yaml
resources:
  payments:
    type: azure-native:web:WebApp
    properties:
      siteConfig:
        healthCheckPath: /v1/health ## health-check-path-deep:note
  thumbs:
    type: azure-native:web:WebApp
    properties:
      siteConfig: { healthCheckPath: /v1/health }
`,
  },
  templates: {
    "chart.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }} }
`,
  },
  "statefulset-readiness-missing": {
    "a.yaml": dep(
      "ledger-db",
      `      containers:
        - name: postgres ## readiness-missing
          image: postgres
          ports: [ { containerPort: 5432 } ]
          livenessProbe: { tcpSocket: { port: 5432 }, initialDelaySeconds: 10 }
`,
      "StatefulSet",
    ),
  },
  "migrate-by-args": {
    "a.yaml": c("search", ok, `          args: ["serve", "--auto-migrate"] ## startup-missing\n`),
    "b.yaml": c(
      "ledger",
      `${ok}          startupProbe: { httpGet: { path: /startupz, port: http }, failureThreshold: 60 }\n`,
      `          command: ["sh", "-c", "rails db:migrate && puma"]\n`,
    ),
  },
  "migrate-by-rails": {
    "a.yaml": c("search", ok, `          command: ["sh", "-c", "bin/rails db:prepare && exec puma"] ## startup-missing\n`),
  },
  cql: client("cqlsh orders-db 9042 -e 'describe keyspaces'", true),
  "cql-after-options": client("cqlsh --ssl -u app -p $P orders-db", true),
  "cql-self-after-options": client("cqlsh -u app -p $P -e 'describe keyspaces'", false),
  etcd: client("etcdctl --endpoints=http://etcd.infra.svc:2379 endpoint health", true),
  "etcd-self": client("etcdctl --endpoints=https://127.0.0.1:2379 endpoint health", false),
  "cql-self": client("cqlsh -e 'describe keyspaces'", false),
  "cql-own-ip": client("cqlsh $(hostname -i) -e 'describe keyspaces'", false),
  sqlcmd: client("/opt/mssql-tools/bin/sqlcmd -S orders-db,1433 -U sa -P $P -Q 'SELECT 1'", true),
  "sqlcmd-self": client("/opt/mssql-tools/bin/sqlcmd -S localhost -U sa -P $P -Q 'SELECT 1'", false),
  clickhouse: client("clickhouse-client --host orders-db --query 'SELECT 1'", true),
  rabbit: client("rabbitmq-diagnostics -q ping", false),
  valkey: client("valkey-cli -h sessions-cache ping", true),
  mariadb: client("mariadb-admin ping --protocol=tcp -h orders-db", true),
  "pg-conninfo": client(`pg_isready -d "host=orders-db dbname=x"`, true),
  "pg-socket": client("psql -U app -h /var/run/postgresql -c 'select 1'", false),
  "timeout-psql": client("timeout 5 psql -h orders-db -c 'select 1'", true),
  "redis-by-env-self": client(
    "redis-cli -h $REDIS_HOST ping",
    false,
    "search",
    `          env: [ { name: REDIS_HOST, value: localhost } ]\n`,
  ),
  "redis-by-env-other": client(
    "redis-cli -h \u0024{REDIS_HOST} -p 6379 ping",
    true,
    "search",
    `          env: [ { name: REDIS_HOST, value: sessions-cache } ]\n`,
  ),
  "redis-by-unknown-env": client('redis-cli -h "$REDIS_HOST" ping', true),
  "mongo-rs": client("mongo --host rs0/orders-db:27017 --eval 'rs.status()'", true),
  "url-var-self": client(
    "psql \"$DATABASE_URL\" -c 'select 1'",
    false,
    "search",
    `          env: [ { name: DATABASE_URL, value: "postgres://app@localhost:5432/x" } ]\n`,
  ),
  "url-var-other": client(
    "psql \"$DATABASE_URL\" -c 'select 1'",
    true,
    "search",
    `          env: [ { name: DATABASE_URL, value: "postgres://app@orders-db:5432/x" } ]\n`,
  ),
  nc: client("nc -z orders-db 5432", false),
  "echo-about-it": client("test -f /tmp/psql-ok", false),
  "redis-tls": client("redis-cli --tls -h sessions-cache.shop.svc.cluster.local -a $P ping", true),
  "mysql-inline": client("mysql --host=orders-db --user=x -e 'select 1'", true),
  "mysql-env": client('MYSQL_PWD=$P mysqladmin -h"orders-db" ping', true),
};
