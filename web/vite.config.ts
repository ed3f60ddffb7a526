import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./precompress.ts";

const server = process.env.HEADWATER ?? "http://127.0.0.1:8080";

/**
 * Assets are relative to `<base href>` in index.html, into which the server writes its base path: deep routes and a
 * board behind a prefix work with the same build. Nothing is inlined, so the strict content policy holds.
 */
export default defineConfig({
  base: "./",
  plugins: [react(), precompress()],
  server: { proxy: { "/api": server, "/staleness": server } },
  build: {
    outDir: "../server/dist/web",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: ["es2023"],
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
