import type { Dialect } from "./dialect.ts";
import { airflow } from "./dialects/airflow.ts";
import { alexliesenfeld } from "./dialects/alexliesenfeld-health.ts";
import { aspnetCustom, aspnetUi } from "./dialects/aspnet.ts";
import { dropwizardHealth, plugCheckup } from "./dialects/check-lists.ts";
import { consul, consulText } from "./dialects/consul.ts";
import { datahub } from "./dialects/datahub.ts";
import { djangoFeeds } from "./dialects/django-feeds.ts";
import { djangoJson, djangoMetrics, djangoText } from "./dialects/django-health-check.ts";
import { djangoWatchman } from "./dialects/django-watchman.ts";
import { dockerflow } from "./dialects/dockerflow.ts";
import { dropwizardMetrics } from "./dialects/dropwizard-metrics.ts";
import { elasticsearchCluster, elasticsearchReport } from "./dialects/elasticsearch.ts";
import { envoyJson, envoyText } from "./dialects/envoy.ts";
import { expressHealthcheck } from "./dialects/express-healthcheck.ts";
import { etherlabs, hellofresh, ory } from "./dialects/failure-maps.ts";
import { flatChecks } from "./dialects/flat-checks.ts";
import { ftHealth } from "./dialects/ft-health.ts";
import { generic, genericList } from "./dialects/generic.ts";
import { gitlab } from "./dialects/gitlab.ts";
import { goSundheit } from "./dialects/go-sundheit.ts";
import { godaddyTerminus } from "./dialects/godaddy-terminus.ts";
import { govuk } from "./dialects/govuk.ts";
import { headwater } from "./dialects/headwater.ts";
import { healthJson } from "./dialects/health-json.ts";
import { hootsuite, hootsuiteAbout } from "./dialects/hootsuite.ts";
import { httpStatus } from "./dialects/http-status.ts";
import { indeedStatus } from "./dialects/indeed-status.ts";
import { invision } from "./dialects/invision-go-health.ts";
import { k8sHealthz } from "./dialects/k8s-healthz.ts";
import { kibana } from "./dialects/kibana.ts";
import { liipMonitor } from "./dialects/liip-monitor.ts";
import { metricsNet } from "./dialects/metrics-net.ts";
import { micronaut } from "./dialects/micronaut.ts";
import { microprofile } from "./dialects/microprofile.ts";
import { nestjsTerminus } from "./dialects/nestjs-terminus.ts";
import { okcomputerJson, okcomputerText } from "./dialects/okcomputer.ts";
import { otelCollector } from "./dialects/otel-collector.ts";
import { jsonScalar, plainText, textLines } from "./dialects/plain-text.ts";
import { pyHealthcheck } from "./dialects/py-healthcheck.ts";
import { railsUp } from "./dialects/rails-up.ts";
import { sentry } from "./dialects/sentry.ts";
import { spatie } from "./dialects/spatie.ts";
import { springActuator } from "./dialects/spring-actuator.ts";
import { statuspage } from "./dialects/statuspage.ts";
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
  plainText,
  textLines,
  jsonScalar,
  railsUp,
  httpStatus,
];
