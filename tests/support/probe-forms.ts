/** Manifests with what is to be found in them: `## rule` at the end of a line, `## rule:note` where it is only worth knowing. */
const dep = (name: string, body: string, kind = "Deployment") => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
${body}`;
const ok = `          readinessProbe: { httpGet: { path: /readyz, port: 8080 }, periodSeconds: 5 }\n`;
export const PROBE_FORMS: Record<string, Record<string, string>> = {
  "daemonset-no-readiness-but-deep-liveness": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: agent
          image: x/agent
          ports: [ { containerPort: 8080 } ]
          livenessProbe:
            httpGet:
              path: /health/deep ## liveness-deep
              port: 8080
            timeoutSeconds: 3
`,
      "DaemonSet",
    ),
  },
  "init-container-waits-and-migrates": {
    "a.yaml": dep(
      "orders",
      `      initContainers:
        - name: wait
          image: postgres:16
          command: [sh, -c, "until pg_isready -h orders-db; do sleep 1; done"]
        - name: migrate
          image: x/orders
          command: ["npm", "run", "migrate"]
      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
${ok}`,
    ),
  },
  "native-sidecar-asks-cache": {
    "a.yaml": dep(
      "orders",
      `      initContainers:
        - name: proxy
          image: x/proxy
          restartPolicy: Always
          livenessProbe:
            exec:
              command: ["redis-cli", "-h", "sessions-cache", "ping"] ## exec-db-client
            timeoutSeconds: 3
      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
${ok}`,
    ),
  },
  "cronjob-and-job-migrate": {
    "a.yaml": `apiVersion: batch/v1
kind: Job
metadata: { name: orders-migrate }
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: m
          image: x/orders
          command: ["sh", "-c", "alembic upgrade head && python seed.py"]
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: orders }
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          containers:
            - name: m
              image: x/orders
              ports: [ { containerPort: 9090 } ]
              env: [ { name: RUN_MIGRATIONS, value: "true" } ]
`,
  },
  "grpc-port-unknown": {
    "a.yaml": dep(
      "payments",
      `      containers:
        - name: payments
          image: x/payments
          ports: [ { name: grpc, containerPort: 9000 } ]
          readinessProbe: { grpc: { port: 9000 }, periodSeconds: 5 }
          livenessProbe:
            grpc:
              port: 9999 ## port-not-exposed
`,
    ),
  },
  "grpc-correct": {
    "a.yaml": dep(
      "payments",
      `      containers:
        - name: payments
          image: x/payments
          ports: [ { name: grpc, containerPort: 9000 } ]
          readinessProbe: { grpc: { port: 9000, service: ready }, periodSeconds: 5 }
          livenessProbe: { grpc: { port: 9000, service: live }, periodSeconds: 20 }
          startupProbe: { tcpSocket: { port: grpc }, failureThreshold: 30 }
`,
    ),
  },
  "exec-curl-deep": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
          readinessProbe: ## default-timeout
            exec:
              command:
                - curl
                - -fsS
                - http://localhost:8080/health/deep ## readiness-deep
            periodSeconds: 5
`,
    ),
  },
  "exec-wget-in-shell-block": {
    "a.yaml": dep(
      "catalog",
      `      containers:
        - name: catalog
          image: x/catalog
          ports: [ { containerPort: 8080 } ]
${ok}          livenessProbe:
            exec:
              command:
                - /bin/sh
                - -c
                - |
                  set -e
                  wget -q --spider http://127.0.0.1:8080/actuator/health || exit 1 ## liveness-deep
            periodSeconds: 30
            timeoutSeconds: 5
`,
    ),
  },
  "database-asks-itself": {
    "a.yaml": dep(
      "orders-db",
      `      containers:
        - name: postgres
          image: postgres:16
          ports: [ { containerPort: 5432 } ]
          readinessProbe: { exec: { command: ["sh", "-c", "pg_isready -U app -h 127.0.0.1 -p 5432"] }, periodSeconds: 5 }
          livenessProbe: { exec: { command: ["pg_isready", "-h", "$(POD_IP)"] }, periodSeconds: 20 }
`,
      "StatefulSet",
    ).replace("spec:\n  selector", "spec:\n  serviceName: orders-db\n  selector"),
    "b.yaml": dep(
      "sessions-cache",
      `      containers:
        - name: redis
          image: redis:7
          ports: [ { containerPort: 6379 } ]
          readinessProbe: { exec: { command: ["sh", "-c", "redis-cli -a \\"$REDIS_PASSWORD\\" ping | grep PONG"] }, periodSeconds: 5 }
          livenessProbe: { tcpSocket: { port: 6379 }, periodSeconds: 20 }
`,
    ),
  },
  "client-by-url-variable": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
          env:
            - { name: DATABASE_URL, valueFrom: { secretKeyRef: { name: db, key: url } } }
${ok}          livenessProbe:
            exec:
              command:
                - sh
                - -c
                - psql "$DATABASE_URL" -c 'select 1' ## exec-db-client
            timeoutSeconds: 5
`,
    ),
  },
  "client-by-pghost": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
          env:
            - { name: PGHOST, value: orders-db.shop.svc }
          readinessProbe:
            exec: { command: [pg_isready, -q] } ## exec-db-client
            periodSeconds: 5
`,
    ),
  },
  "redis-by-url": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
${ok}          startupProbe:
            exec: { command: ["redis-cli", "-u", "redis://sessions-cache:6379", "ping"] } ## exec-db-client
            failureThreshold: 30
`,
    ),
  },
  mongosh: {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
${ok}          livenessProbe:
            exec:
              command: ["mongosh", "--quiet", "mongodb://orders-db:27017/x", "--eval", "db.adminCommand('ping')"] ## exec-db-client
            timeoutSeconds: 5
`,
    ),
    "b.yaml": dep(
      "docs-db",
      `      containers:
        - name: mongo
          image: mongo:7
          ports: [ { containerPort: 27017 } ]
          readinessProbe: { exec: { command: ["mongosh", "--quiet", "--eval", "db.adminCommand('ping')"] }, timeoutSeconds: 5 }
`,
      "StatefulSet",
    ),
  },
  "knative-own-window": {
    "a.yaml": `apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: catalog
  labels: { networking.knative.dev/visibility: cluster-local }
spec:
  template:
    spec:
      containers:
        - image: x/catalog
          ports: [ { containerPort: 8080 } ]
          startupProbe:
            httpGet: { path: /startupz }
            periodSeconds: 10
            failureThreshold: 60
          readinessProbe:
            httpGet:
              path: /actuator/health ## readiness-deep
            timeoutSeconds: 6
`,
  },
  "cloud-run-defaults": {
    "a.yaml": `apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: orders
spec:
  template:
    metadata:
      annotations: { autoscaling.knative.dev/maxScale: "10", run.googleapis.com/startup-cpu-boost: "true" }
    spec:
      timeoutSeconds: 300
      containers:
        - image: x/orders
          ports: [ { containerPort: 8080 } ]
          startupProbe: ## default-timeout
            httpGet: { path: /health/deep, port: 8080 }
            failureThreshold: 25 ## cloud-run-startup-window
          livenessProbe:
            httpGet:
              path: /health/deep ## liveness-deep
              port: 8080
            timeoutSeconds: 1 ## timeout-short
`,
  },
  "compose-shell-forms": {
    "compose.yaml": `x-check: &check
  interval: 10s
  test: ["CMD-SHELL", "wget --spider -q localhost:9000/v1/health"] ## docker-healthcheck-deep:note
services:
  orders:
    image: x/orders
    healthcheck:
      test: curl -f http://localhost:8080/health/deep || exit 1 ## docker-healthcheck-deep:note
  payments:
    image: x/payments
    healthcheck: { <<: *check, retries: 3 }
  catalog:
    image: x/catalog
    healthcheck:
      test: ["NONE"]
  search:
    image: x/search
    healthcheck:
      test:
        - CMD
        - curl
        - http://localhost:8080/health/deep
`,
  },
  dockerfiles: {
    "orders/Dockerfile": `FROM x AS base
# HEALTHCHECK CMD curl http://localhost:8080/health/deep
RUN echo "HEALTHCHECK CMD curl http://localhost:8080/health/deep" > /x
HEALTHCHECK CMD ["wget", "-qO-", "http://127.0.0.1:8080/health/deep"] ## docker-healthcheck-deep:note
`,
    "catalog/Dockerfile": `FROM x
HEALTHCHECK NONE
`,
    "payments/Dockerfile": `FROM x
healthcheck --interval=5m \\ ## docker-healthcheck-deep:note
  # a comment between
  --timeout=3s \\
  CMD curl -f localhost:9000/v1/health/ || exit 1
`,
    "search/Dockerfile": `FROM x
HEALTHCHECK CMD curl http://localhost/health/deep
`,
  },
  "terraform-and-bicep": {
    "main.tf": `resource "azurerm_linux_web_app" "orders" {
  name                = "\${var.prefix}-orders"
  service_plan_id     = azurerm_service_plan.shop.id
  site_config {
    always_on         = true
    health_check_path = "/health/deep" ## health-check-path-deep:note
  }
}
resource "azurerm_linux_web_app" "thumbs" {
  name = "thumbs"
  site_config { 
    health_check_path = "/health/deep"
  }
}
`,
    "app.bicep": `resource site 'Microsoft.Web/sites@2023-12-01' = {
  name: 'payments'
  properties: {
    siteConfig: {
      healthCheckPath: '/v1/health' ## health-check-path-deep:note
    }
  }
}
`,
  },
  "arm-template": {
    "arm.json": `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "resources": [
    {
      "type": "Microsoft.Web/sites",
      "apiVersion": "2022-03-01",
      "name": "catalog",
      "properties": {
        "siteConfig": {
          "healthCheckPath": "/actuator/health" ## health-check-path-deep:note
        }
      }
    }
  ]
}
`,
  },
  "list-and-json": {
    "list.json": `{
  "apiVersion": "v1",
  "kind": "List",
  "items": [
    { "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "orders" },
      "spec": { "template": { "spec": { "containers": [ {
        "name": "orders", ## readiness-missing
        "ports": [ { "containerPort": 8080 } ],
        "livenessProbe": {
          "httpGet": { "path": "/livez", "port": 8080 },
          "periodSeconds": 10,
          "timeoutSeconds": 11 ## timeout-long
        } } ] } } } }
  ]
}
`,
  },
  "two-containers": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { name: http, containerPort: 8080 }, { name: admin, containerPort: 8081 } ]
          readinessProbe: { httpGet: { path: /health, port: admin }, periodSeconds: 5 }
          livenessProbe: { httpGet: { path: /health, port: http }, periodSeconds: 20 }
        - name: metrics ## readiness-missing
          image: x/exporter
          ports: [ { containerPort: 9100 } ]
        - name: no-ports
          image: x/tail
          ports: []
`,
    ),
  },
  "same-path-spelt-otherwise": {
    "a.yaml": dep(
      "search",
      `      containers:
        - name: search
          image: x/search
          ports: [ { name: http, containerPort: 8080 } ]
          livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 20 }
          readinessProbe:
            httpGet:
              path: /healthz/ ## same-path
              port: 8080
`,
    ),
  },
  "default-path": {
    "a.yaml": dep(
      "search",
      `      containers:
        - name: search
          image: x/search
          ports: [ { name: http, containerPort: 8080 } ]
${ok}          livenessProbe:
            httpGet: { port: 8080 } ## redirect-or-auth
            periodSeconds: 20
`,
    ),
  },
  "deep-with-query": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
          readinessProbe:
            httpGet:
              path: /health/deep?verbose=1 ## readiness-deep
              port: 8080
            timeoutSeconds: 1 ## timeout-short
`,
    ),
  },
  "timeouts-at-the-limit": {
    "a.yaml": dep(
      "search",
      `      containers:
        - name: search
          image: x/search
          ports: [ { containerPort: 8080 } ]
          readinessProbe: { httpGet: { path: /readyz, port: 8080 }, periodSeconds: 5, timeoutSeconds: 5 }
          livenessProbe:
            httpGet: { path: /livez, port: 8080 }
            timeoutSeconds: 15 ## timeout-long
`,
    ),
  },
  delays: {
    "a.yaml": dep(
      "search",
      `      containers:
        - name: search
          image: x/search
          ports: [ { containerPort: 8080 } ]
${ok}          livenessProbe: { httpGet: { path: /livez, port: 8080 }, initialDelaySeconds: 29 }
`,
    ),
    "b.yaml": dep(
      "ledger",
      `      containers:
        - name: ledger
          image: x/ledger
          ports: [ { containerPort: 8080 } ]
${ok}          livenessProbe:
            httpGet: { path: /livez, port: 8080 }
            initialDelaySeconds: 30 ## startup-missing
`,
    ),
    "c.yaml": dep(
      "slow",
      `      containers:
        - name: slow
          image: x/slow
          ports: [ { containerPort: 8080 } ]
${ok}          startupProbe: { httpGet: { path: /startupz, port: 8080 }, failureThreshold: 60 }
          livenessProbe: { httpGet: { path: /livez, port: 8080 }, initialDelaySeconds: 120 }
`,
    ),
  },
  ...Object.fromEntries(
    [
      `python manage.py migrate --noinput && gunicorn app`,
      `bundle exec rails db:migrate && bundle exec puma`,
      `npx prisma migrate deploy && node server.js`,
      `flyway migrate && java -jar app.jar`,
      `php artisan migrate --force && php-fpm`,
      `npx typeorm migration:run -d x.js; node server.js`,
      `./migrate.sh && exec ./server`,
      `dotnet ef database update && dotnet app.dll`,
      `goose -dir m up && ./server`,
      `diesel migration run && ./server`,
      `npx knex migrate:latest && npm start`,
      `bin/rake db:migrate db:seed && bin/server`,
      `sqlx migrate run && ./server`,
      `mix ecto.migrate && mix phx.server`,
      `bin/app eval "App.Release.migrate" && bin/app start`,
      `java -jar liquibase.jar update && java -jar app.jar`,
      `node dist/db/migrate.js && node dist/main.js`,
      `atlas migrate apply --url x && ./server`,
    ].map((c, i) => [
      `migrates-${i}`,
      {
        "a.yaml": dep(
          "search",
          `      containers:
        - name: search
          image: x/search
          command: ["sh", "-c"]
          args:
            - '${c}' ## startup-missing
          ports: [ { containerPort: 8080 } ]
${ok}`,
        ),
      },
    ]),
  ),
  ...Object.fromEntries(
    [
      `["node", "server.js", "--migrations-dir", "x"]`,
      `["./server", "--no-migrate"]`,
      `["sh", "-c", "echo migrated && exec ./server"]`,
      `["sh", "-c", "node server.js"]`,
      `["migration-dashboard", "serve"]`,
    ].map((c, i) => [
      `migrates-not-${i}`,
      {
        "a.yaml": dep(
          "search",
          `      containers:
        - name: search
          image: x/search
          command: ${c}
          ports: [ { containerPort: 8080 } ]
${ok}`,
        ),
      },
    ]),
  ),
  ...Object.fromEntries(
    [
      ["RUN_MIGRATIONS", "true", 1],
      ["MIGRATE_ON_START", "1", 1],
      ["DB_AUTO_MIGRATE", "yes", 1],
      ["AUTO_MIGRATE", "true", 1],
      ["MIGRATIONS_ENABLED", "true", 0],
      ["RUN_MIGRATIONS", "false", 0],
      ["SKIP_MIGRATIONS", "true", 0],
    ].map(([n, v, hit], i) => [
      `switch-${i}-${n}-${v}`,
      {
        "a.yaml": dep(
          "search",
          `      containers:
        - name: search
          image: x/search
          ports: [ { containerPort: 8080 } ]
          env:
            - name: ${n} ${hit ? "## startup-missing" : ""}
              value: "${v}"
${ok}`,
        ),
      },
    ]),
  ),
  aggressive: {
    "a.yaml": dep(
      "search",
      `      containers:
        - name: search
          image: x/search
          ports: [ { containerPort: 8080 } ]
          readinessProbe: { httpGet: { path: /readyz, port: 8080 } }
          livenessProbe: ## liveness-aggressive
            httpGet: { path: /livez, port: 8080 }
            periodSeconds: 5
            failureThreshold: 2
`,
    ),
    "b.yaml": dep(
      "ledger",
      `      containers:
        - name: ledger
          image: x/ledger
          ports: [ { containerPort: 8080 } ]
          readinessProbe: { httpGet: { path: /readyz, port: 8080 } }
          livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 15, failureThreshold: 2 }
`,
    ),
  },
  "pod-and-other-kinds": {
    "a.yaml": `apiVersion: v1
kind: Pod
metadata: { name: search }
spec:
  containers:
    - name: search ## readiness-missing
      image: x/search
      ports: [ { containerPort: 8080 } ]
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: r }
spec: { template: { spec: { containers: [ { name: r, image: x, ports: [ { containerPort: 1 } ] } ] } } }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: d }
spec: { template: { spec: { containers: [ { name: d, image: x, ports: [ { containerPort: 1 } ] } ] } } }
`,
  },
  ...Object.fromEntries(
    [
      ["/login", 1],
      ["/Account/Login", 1],
      ["/admin/health", 1],
      ["/oauth2/callback", 1],
      ["/users/sign_in", 1],
      ["/sso", 1],
      ["/admin-api/livez", 0],
      ["/healthz/logins", 0],
      ["/", 1],
      ["/blog", 0],
      ["/auth/login.html", 1],
      ["/saml/acs", 1],
      ["/signin", 1],
      ["/administrator/index.php", 1],
      ["/wp-login.php", 1],
      ["/login?next=/x", 1],
      ["/catalog-admin", 0],
    ].map(([p, hit], i) => [
      `path-${i}`,
      {
        "a.yaml": dep(
          "search",
          `      containers:
        - name: search
          image: x/search
          ports: [ { containerPort: 8080 } ]
          readinessProbe:
            httpGet:
              path: ${p} ${hit ? "## redirect-or-auth" : ""}
              port: 8080
            periodSeconds: 5
`,
        ),
      },
    ]),
  ),
  "not-probes": {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
          lifecycle:
            preStop: { exec: { command: ["psql", "-h", "orders-db", "-c", "select 1"] } }
            postStart: { httpGet: { path: /health/deep, port: 8080 } }
${ok}          livenessProbe: { exec: { command: ["grpc_health_probe", "-addr=:8080"] }, periodSeconds: 20 }
`,
    ),
  },
  "stateful-peers": {
    "a.yaml": dep(
      "orders-db",
      `      containers:
        - name: mysql
          image: mysql:8
          ports: [ { containerPort: 3306 } ]
          readinessProbe: { exec: { command: ["bash", "-ec", "mysqladmin ping -h orders-db-0.orders-db-headless -uroot -p$MYSQL_ROOT_PASSWORD"] }, periodSeconds: 5 }
`,
      "StatefulSet",
    ).replace("spec:\n  selector", "spec:\n  serviceName: orders-db-headless\n  selector"),
  },
  "client-words": {
    "a.yaml": dep(
      "search",
      `      containers:
        - name: search
          image: x/search
          ports: [ { containerPort: 8080 } ]
          readinessProbe: { httpGet: { path: /readyz, port: 8080 } }
          livenessProbe:
            exec:
              command:
                - bash
                - -ec
                - >- ## exec-db-client
                  PGPASSWORD=$P /usr/bin/psql
                  --host=orders-db --username=x -c 'select 1'
            timeoutSeconds: 5
`,
    ),
    "b.yaml": dep(
      "ledger",
      `      containers:
        - name: ledger
          image: x/ledger
          ports: [ { containerPort: 8080 } ]
          readinessProbe:
            exec: { command: ["psql", "host=orders-db user=app", "-c", "select 1"] } ## exec-db-client
            timeoutSeconds: 5
`,
    ),
    "c.yaml": dep(
      "mailer",
      `      containers:
        - name: mailer
          image: x/mailer
          ports: [ { containerPort: 8080 } ]
          readinessProbe:
            exec: { command: ["sh", "-c", "mysql -horders-db -uapp -e 'select 1'"] } ## exec-db-client
            timeoutSeconds: 5
`,
    ),
  },
  crlf: {
    "a.yaml": dep(
      "orders",
      `      containers:
        - name: orders
          image: x/orders
          ports: [ { containerPort: 8080 } ]
${ok}          livenessProbe:
            httpGet:
              path: "/health/deep" ## liveness-deep
              port: 8080
            timeoutSeconds: 3
`,
    ).replaceAll("\n", "\r\n"),
  },
  openshift: {
    "a.yaml": `apiVersion: apps.openshift.io/v1
kind: DeploymentConfig
metadata: { name: orders }
spec:
  template:
    spec:
      containers:
        - name: orders
          ports: [ { containerPort: 8080 } ]
          livenessProbe:
            httpGet:
              path: health/deep ## liveness-deep
              port: 8080
            timeoutSeconds: 3
`,
  },
  rollout: {
    "a.yaml": `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: orders }
spec:
  template:
    spec:
      containers:
        - name: orders
          ports: [ { containerPort: 8080 } ]
          readinessProbe:
            httpGet:
              path: /health/deep ## readiness-deep
              port: 8080
            timeoutSeconds: 2
`,
  },
};
