// A viewer of the event stream on a bare socket: a thousand of them must cost the benchmark little.
import { connect } from "node:net";

/** Resolves once the stream has begun. `onEvent(name, data)` is called with each event's text, where it is given. */
export function openViewer(address, onEvent) {
  const { hostname, port, host } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const viewer = { bytes: 0, events: 0, close: () => socket.destroy() };
    let begun = false;
    let rest = "";
    socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      viewer.bytes += chunk.length;
      if (!begun) {
        begun = true;
        resolve(viewer);
      }
      if (!onEvent) return;
      rest += chunk;
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        const event = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const name = /^event: (\S+)/m.exec(event)?.[1];
        // The answer is sent in chunks, one a frame; their length lines are no part of an event's data.
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (name && data) {
          viewer.events += 1;
          onEvent(name, data);
        }
      }
    });
  });
}
