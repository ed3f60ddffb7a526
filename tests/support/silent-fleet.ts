import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface SilentFleet {
  urls: string[];
  /** Nobody takes a connection any more: connecting gets no answer at all. */
  vanish: () => void;
  comeBack: () => void;
  close: () => void;
}

/** Each answers healthy and closes the connection, so that the next poll has to connect. */
const PROGRAM = `
  const { createServer } = require("node:http");
  const hosts = process.argv.slice(1);
  const body = JSON.stringify({ status: "healthy", components: [] });
  const answer = (_request, response) => response.writeHead(200, { "content-type": "application/json", connection: "close" }).end(body);
  Promise.all(hosts.map((host) => new Promise((done) => {
    const server = createServer(answer).listen({ host, port: 0, backlog: 1 }, () => done("http://" + host + ":" + server.address().port + "/health"));
  }))).then((urls) => process.send(urls));
`;

/**
 * One service on each of the hosts (addresses of 127.0.0.0/8; Linux has them all) in a process of their own. A stopped
 * process accepts nothing, and once the short queue of a port is full, the kernel drops every further attempt.
 */
export async function startSilentFleet(hosts: readonly string[]): Promise<SilentFleet> {
  const child = spawn(process.execPath, ["-e", PROGRAM, ...hosts], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [urls] = (await once(child, "message")) as [string[]];
  let fillers: Socket[] = [];
  const release = () => {
    for (const socket of fillers) socket.destroy();
    fillers = [];
  };
  return {
    urls,
    vanish() {
      child.kill("SIGSTOP");
      for (const url of urls) {
        const { hostname, port } = new URL(url);
        for (let i = 0; i < 6; i++) fillers.push(connect(Number(port), hostname).on("error", () => undefined));
      }
    },
    comeBack() {
      release();
      child.kill("SIGCONT");
    },
    close() {
      release();
      child.kill("SIGKILL");
    },
  };
}
