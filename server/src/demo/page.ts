import type { Director } from "./director.ts";
import { RESOURCE_FAULTS, SERVICE_FAULTS } from "./faults.ts";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
li { margin: 0.5rem 0; } p { margin: 0.2rem 0; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #8884; }
form { display: inline; } button, select { font: inherit; }
`;

/** The control page: what can be broken, what is broken, and buttons for both. Forms only, no script. */
export function renderPage(director: Director): string {
  const { auto, act } = director.state();
  const faults = director.fleet.faults();
  const acts = director.script.map(
    ({ title, watch }, index) =>
      `<li>${button("/play", { act: String(index) }, escaped(title))}${index === act ? " <strong>now</strong>" : ""}<p>${escaped(watch)}</p></li>`,
  );
  const rows = [
    ...director.fleet.resources.map(({ id }) => row(id, RESOURCE_FAULTS, faults.get(id))),
    ...director.fleet.services.map(({ id }) => row(id, SERVICE_FAULTS, faults.get(id))),
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Break the demo fleet</title>
<style>${STYLE}</style>
<h1>Break the demo fleet</h1>
<p>The script is ${auto ? "running" : "held"}. ${button("/auto", { on: auto ? "" : "1" }, auto ? "Hold it" : "Let it run")} ${button("/heal", {}, "Heal everything")}</p>
<h2>Incidents to watch</h2>
<ol>${acts.join("")}</ol>
<h2>One by one</h2>
<table><thead><tr><th>What</th><th>Now</th><th>Break it</th></tr></thead><tbody>${rows.join("")}</tbody></table>
</html>
`;
}

function row(id: string, faults: Readonly<Record<string, string>>, now: string | undefined): string {
  const options = Object.entries(faults).map(
    ([fault, text]) => `<option value="${escaped(fault)}">${escaped(fault)}: ${escaped(text)}</option>`,
  );
  const choose = `<form method="post" action="/break"><input type="hidden" name="id" value="${escaped(id)}"><select name="fault" aria-label="Fault for ${escaped(id)}">${options.join("")}</select> <button>Break</button></form>`;
  const heal = now ? button("/heal", { id }, "Heal") : "";
  return `<tr><th scope="row">${escaped(id)}</th><td>${now ? `<strong>${escaped(now)}</strong>` : "fine"}</td><td>${choose} ${heal}</td></tr>`;
}

function button(action: string, fields: Record<string, string>, label: string): string {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`);
  return `<form method="post" action="${action}">${inputs.join("")}<button>${label}</button></form>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
