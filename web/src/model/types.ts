import type { Board, Cause, Incident, NodeView, SystemView } from "headwater/contract";

export type { Board, Cause, Incident, NodeView, SystemView };
export type Status = NodeView["status"];
export type Role = NonNullable<NodeView["role"]>;
export type Mark = NodeView["marks"][number];
export type Criticality = SystemView["members"][number]["criticality"];
