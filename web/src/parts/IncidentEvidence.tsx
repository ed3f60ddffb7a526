import type { IncidentDetail } from "headwater/contract";
import { useRoom } from "../effects/room.ts";
import type { Names } from "../model/headline.ts";
import { heardOf } from "../model/note.ts";
import { asSentence } from "../model/sentence.ts";
import type { NodeView } from "../model/types.ts";
import { Sentences } from "./Lead.tsx";
import { Fact, Proof } from "./Proof.tsx";
import { Section } from "./Section.tsx";

interface Props {
  detail: IncidentDetail;
  /** Where to look first. */
  node: NodeView | undefined;
  nodes: readonly NodeView[];
  names: Names;
}

/** What speaks for a cause, in room that is kept: as it mends there is less to say. */
export function IncidentEvidence(props: Props) {
  return (
    <div ref={useRoom(props.detail.id)}>
      <Evidence {...props} />
    </div>
  );
}

/** What speaks for the cause and against it, what it says itself, the runner-up, and what would decide. */
function Evidence({ detail, node, nodes, names }: Props) {
  const { cause } = detail;
  const named = asSentence(nodes, names);
  // Beside evidence of before stands what was heard then.
  const stood = detail.status === "open" ? node : cause?.stood;
  const heard = stood?.reason ? heardOf(stood, names) : null;
  if (!cause) return <Candidates detail={detail} nodes={nodes} names={names} />;
  return (
    <Section title="Why we say so" aside={`${cause.level}, ${cause.confidence.toFixed(2)}`}>
      <Proof long>
        <Fact label="for">
          <Reasons texts={cause.why.map(named)} />
        </Fact>
        {heard && (
          <Fact label={heard.label}>
            {heard.own}
            {heard.said !== null && <q>{heard.said}</q>}
          </Fact>
        )}
        {cause.against.length > 0 && (
          <Fact label="against" weak>
            <Reasons texts={cause.against.map(named)} />
          </Fact>
        )}
        {cause.runner_up && (
          <Fact label="runner-up" weak>
            <b>{names(cause.runner_up.node)}</b>, {cause.runner_up.confidence.toFixed(2)}: {named(cause.runner_up.why)}
          </Fact>
        )}
        {cause.decided_by && detail.status !== "resolved" && (
          <Fact label="to decide" weak>
            {named(cause.decided_by)}
          </Fact>
        )}
      </Proof>
    </Section>
  );
}

function Reasons({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>
          <Sentences text={text} />
        </li>
      ))}
    </ul>
  );
}

function Candidates({ detail, nodes, names }: Omit<Props, "node">) {
  const named = asSentence(nodes, names);
  return (
    <Section title={detail.kind === "maintenance" ? "Why it alerts nobody" : "What we cannot tell"} aside={detail.kind}>
      <Proof long>
        {detail.candidates.length === 0 && (
          <Fact label="cause">{detail.kind === "maintenance" ? "Announced work." : "Nothing that we see explains it."}</Fact>
        )}
        {detail.candidates.map((one) => (
          <Fact key={one.node} label={one.confidence.toFixed(2)}>
            <b>{names(one.node)}</b>. {named(one.why)}
          </Fact>
        ))}
      </Proof>
    </Section>
  );
}
