import type { Board, Cause, Incident, NodeView, SystemView } from "headwater/contract";

export type { Board, Cause, Incident, NodeView, SystemView };
export type Status = NodeView["status"];
export type Criticality = SystemView["members"][number]["criticality"];
