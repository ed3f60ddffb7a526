/** What Helm fills in: a template may well be YAML by chance, but says nothing until it is rendered. */
const HELM =
  /\{\{-?\s*(?:\.(?:Values|Release|Chart|Capabilities|Files|Template)\b|(?:include|template)\s+"|(?:if|with|range)\s+(?:not\s+|\()*[.$](?:Values|Release|Chart|Capabilities)\b)/;

/** What to do with a template, for messages. */
export const RENDER_FIRST = "a template, which must be rendered first: helm template CHART > rendered.yaml";

/** The line of the first thing in a text that only rendering makes a value of; null where there is none. `parses` tells that the text is YAML as it is. */
export function templateLine(text: string, parses: boolean): number | null {
  const at = text.search(parses ? HELM : /\{\{/);
  return at < 0 ? null : text.slice(0, at).split("\n").length;
}
