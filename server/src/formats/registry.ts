import type { Dialect } from "./dialect.ts";
import { airflow } from "./dialects/airflow.ts";
import { alexliesenfeld } from "./dialects/alexliesenfeld-health.ts";
import { aspnetCustom } from "./dialects/aspnet-custom.ts";
import { aspnetUi } from "./dialects/aspnet-ui.ts";
import { consul } from "./dialects/consul.ts";
import { consulText } from "./dialects/consul-agent-text.ts";
import { datahub } from "./dialects/datahub-ready.ts";
import { djangoJson } from "./dialects/django-health-check.ts";
import { djangoFeeds } from "./dialects/django-health-check-feed.ts";
import { djangoMetrics } from "./dialects/django-health-check-openmetrics.ts";
import { djangoText } from "./dialects/django-health-check-text.ts";
import { djangoWatchman } from "./dialects/django-watchman.ts";
import { dockerflow } from "./dialects/dockerflow.ts";
import { dropwizardHealth } from "./dialects/dropwizard-health.ts";
import { dropwizardMetrics } from "./dialects/dropwizard-metrics.ts";
import { elasticsearchCluster } from "./dialects/elasticsearch-cluster.ts";
import { elasticsearchReport } from "./dialects/elasticsearch-health-report.ts";
import { envoyJson } from "./dialects/envoy-clusters.ts";
import { envoyText } from "./dialects/envoy-clusters-text.ts";
import { etherlabs } from "./dialects/etherlabs-healthcheck.ts";
import { expressHealthcheck } from "./dialects/express-healthcheck.ts";
import { flatChecks } from "./dialects/flat-checks.ts";
import { ftHealth } from "./dialects/ft-health.ts";
import { generic } from "./dialects/generic.ts";
import { genericList } from "./dialects/generic-list.ts";
import { gitlabHealth } from "./dialects/gitlab-health.ts";
import { gitlab } from "./dialects/gitlab-readiness.ts";
import { goSundheit } from "./dialects/go-sundheit.ts";
import { godaddyTerminus } from "./dialects/godaddy-terminus.ts";
import { govuk } from "./dialects/govuk-healthcheck.ts";
import { headwater } from "./dialects/headwater.ts";
import { healthJson } from "./dialects/health-json.ts";
import { hellofresh } from "./dialects/hellofresh-health-go.ts";
import { hootsuite } from "./dialects/hootsuite.ts";
import { hootsuiteAbout } from "./dialects/hootsuite-about.ts";
import { httpStatus } from "./dialects/http-status.ts";
import { indeedStatus } from "./dialects/indeed-status.ts";
import { invision } from "./dialects/invision-go-health.ts";
import { jsonScalar } from "./dialects/json-scalar.ts";
import { k8sHealthz } from "./dialects/k8s-healthz.ts";
import { kibana } from "./dialects/kibana.ts";
import { liipMonitor } from "./dialects/liip-monitor.ts";
import { metricsNet } from "./dialects/metrics-net.ts";
import { micronaut } from "./dialects/micronaut.ts";
import { microprofile } from "./dialects/microprofile.ts";
import { nestjsTerminus } from "./dialects/nestjs-terminus.ts";
import { okcomputerJson } from "./dialects/okcomputer-json.ts";
import { okcomputerText } from "./dialects/okcomputer-text.ts";
import { ory } from "./dialects/ory-healthx.ts";
import { otelCollector } from "./dialects/otel-collector.ts";
import { plainText } from "./dialects/plain-text.ts";
import { plugCheckup } from "./dialects/plug-checkup.ts";
import { pyHealthcheck } from "./dialects/py-healthcheck.ts";
import { railsUp } from "./dialects/rails-up.ts";
import { sentry } from "./dialects/sentry-health.ts";
import { spatie } from "./dialects/spatie-laravel-health.ts";
import { springActuator } from "./dialects/spring-actuator.ts";
import { statuspage } from "./dialects/statuspage.ts";
import { textLines } from "./dialects/text-lines.ts";
import { vault } from "./dialects/vault.ts";
import { vertx } from "./dialects/vertx.ts";

/** The registry, in the order in which `auto` asks: sharp shapes first, hand-written ones last. */
export const DIALECTS: readonly Dialect[] = [
  headwater,
  hootsuiteAbout,
  invision,
  alexliesenfeld,
  nestjsTerminus,
  godaddyTerminus,
  healthJson,
  aspnetUi,
  micronaut,
  springActuator,
  vertx,
  microprofile,
  hellofresh,
  etherlabs,
  ory,
  goSundheit,
  pyHealthcheck,
  dockerflow,
  govuk,
  gitlab,
  spatie,
  liipMonitor,
  ftHealth,
  indeedStatus,
  elasticsearchReport,
  elasticsearchCluster,
  statuspage,
  kibana,
  consul,
  vault,
  envoyJson,
  otelCollector,
  metricsNet,
  sentry,
  airflow,
  djangoWatchman,
  okcomputerJson,
  dropwizardMetrics,
  datahub,
  djangoJson,
  aspnetCustom,
  expressHealthcheck,
  flatChecks,
  generic,
  plugCheckup,
  dropwizardHealth,
  hootsuite,
  genericList,
  k8sHealthz,
  okcomputerText,
  djangoMetrics,
  djangoText,
  djangoFeeds,
  envoyText,
  consulText,
  gitlabHealth,
  plainText,
  textLines,
  jsonScalar,
  railsUp,
  httpStatus,
];
