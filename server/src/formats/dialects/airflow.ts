import { isObject } from "../json.ts";
import { everyMember, structured } from "../structured.ts";

/** Apache Airflow: always 200; a null status is a component that is not deployed. */
export const airflow = structured({
  name: "airflow",
  title: "Apache Airflow",
  recognised: "a map whose members all have `status`, with `metadatabase` and `scheduler` among them",
  mapped: "a null status is unknown; `latest_…_heartbeat` is the time of the check",
  matches: (value) => isObject(value.metadatabase) && isObject(value.scheduler) && everyMember(value, (part) => "status" in part),
  habits: { time: /^latest_\w{1,60}_heartbeat$/ },
});
