import type { z } from "zod";
import type { PublicStatus } from "../contract/index.ts";
import { cleanText } from "./auth.ts";

type View = z.infer<typeof PublicStatus>;
type Word = View["status"];

/** The board's colours, marks and type: light, and dark where a reader's system is. The badge has the light ones. */
const COLOURS: Readonly<Record<Word, string>> = { up: "#5a7d69", degraded: "#b86200", down: "#c8151b", unknown: "#4753a8" };
const MARKS: Readonly<Record<Word, string>> = {
  up: '<path d="M4 8.5 7 11.5 12 5" fill="none" stroke="currentColor" stroke-width="1.75"/>',
  degraded: '<path d="M8 1 15.5 14.5H.5z" fill="currentColor"/>',
  down: '<path d="M5 .75h6L15.25 5v6L11 15.25H5L.75 11V5z" fill="currentColor"/>',
  unknown: '<path d="M8 .8 15.2 8 8 15.2.8 8z" fill="none" stroke="currentColor" stroke-width="1.4"/>',
};
const HEADLINES: Readonly<Record<Word, string>> = {
  up: "Everything is up",
  degraded: "Something is degraded",
  down: "Something is down",
  unknown: "We cannot tell right now",
};
const MAX_NAME = 80;
/** A browser asks again by itself, without a script. */
const REFRESH_S = 30;

export const PUBLIC_STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #0f1011);
  --ink: light-dark(#15150f, #f0efe9);
  --ink-3: light-dark(#6c6c63, #8e8d85);
  --hair: light-dark(#dedcd4, #2a2b2c);
  --healthy: light-dark(#5a7d69, #7c9f8b);
  --degraded: light-dark(#b86200, #f5ae3d);
  --unhealthy: light-dark(#c8151b, #ff5a50);
  --unknown: light-dark(#4753a8, #9dabff);
  --font: -apple-system, "Segoe UI", Inter, "Adwaita Sans", Roboto, Ubuntu, Cantarell, "Liberation Sans", Arial, system-ui, sans-serif;
}
body {
  max-width: 40rem;
  margin: 0 auto;
  padding: 48px 16px;
  background: var(--paper);
  color: var(--ink);
  font: 16px / 24px var(--font);
  overflow-wrap: break-word;
}
h1 { margin: 0 0 24px; font-size: clamp(28px, 6vw, 40px); line-height: 1.1; font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--hair); }
li { display: flex; gap: 12px; align-items: center; min-height: 52px; border-bottom: 1px solid var(--hair); }
li span:last-child { margin-left: auto; }
svg { flex: none; width: 16px; height: 16px; }
p { color: var(--ink-3); }
.up svg { color: var(--healthy); }
.degraded svg { color: var(--degraded); }
.down svg { color: var(--unhealthy); }
.unknown svg { color: var(--unknown); }
`;

/** The public page: what `/status` says, for people, without a script. */
export function publicPage({ status, as_of, systems }: View): string {
  const rows = systems.map(
    ({ name, status: word }) =>
      `<li class="${word}"><svg viewBox="0 0 16 16" aria-hidden="true">${MARKS[word]}</svg><span>${markup(name)}</span><span>${word}</span></li>`,
  );
  const list = rows.length > 0 ? `<ul>\n${rows.join("\n")}\n</ul>` : "<p>No system is public.</p>";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${REFRESH_S}">
<title>${HEADLINES[status]}</title>
<link rel="icon" href="favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="status.css">
</head>
<body>
<main>
<h1>${HEADLINES[status]}</h1>
${list}
<p>As of <time datetime="${as_of}">${as_of.slice(0, 10)} ${as_of.slice(11, 19)} UTC</time></p>
</main>
</body>
</html>
`;
}

/** The mark of a word as a picture for a browser's tab. */
export function icon(word: Word): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="${COLOURS[word]}">${MARKS[word]}</svg>`;
}

/** A badge of one line, `label | word`: its width is estimated, and its text is fitted to it. */
export function badge(label: string, word: Word): string {
  const text = markup(label);
  const [left, right] = [width(cleanText(label, MAX_NAME)), width(word)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${text}: ${word}">
<title>${text}: ${word}</title>
<rect width="${left}" height="20" fill="#15150f"/>
<rect x="${left}" width="${right}" height="20" fill="${COLOURS[word]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14" textLength="${left - 14}" lengthAdjust="spacingAndGlyphs">${text}</text>
<text x="${left + right / 2}" y="14" textLength="${right - 14}" lengthAdjust="spacingAndGlyphs">${word}</text>
</g>
</svg>
`;
}

/** Pixels for a text in 11 px Verdana with seven on each side; letters of wide scripts take twice as many. */
function width(text: string): number {
  return 14 + [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) > 0x1100 ? 12 : 7), 0);
}

function markup(text: string): string {
  return cleanText(text, MAX_NAME).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
