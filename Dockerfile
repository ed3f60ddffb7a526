# syntax=docker/dockerfile:1
# No Docker is needed to try this file: tests/integration/dockerfile.test.ts runs its steps in the same order.

FROM node:20-bookworm AS build
WORKDIR /src
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY server/package.json server/
COPY web/package.json web/
RUN npx -y pnpm@12 install --frozen-lockfile
COPY tsconfig.base.json ./
COPY tests/support/clean.mjs tests/support/
COPY server server
COPY web web
RUN npx -y pnpm@12 build
RUN npx -y pnpm@12 --filter headwater deploy --prod /app
# Of the compiled addon only the addon is needed; types, sources and their maps are for whoever develops.
RUN find /app \( -path '*/better-sqlite3/build/Release/obj*' -o -path '*/better-sqlite3/deps' -o -path '*/better-sqlite3/src' \
  -o -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.gyp' -o -name '*.o' -o -name '*.a' \) \
  -prune -exec rm -rf {} +
RUN mkdir /data

FROM node:20-bookworm-slim
ENV NODE_ENV=production
COPY --from=build /app /app
COPY --from=build --chown=node:node /data /data
COPY config /config
USER node
VOLUME ["/config", "/data"]
EXPOSE 8080
# Liveness only: it does no I/O, so a shared outage never restarts the one thing that explains it.
HEALTHCHECK --interval=10s --timeout=2s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
CMD ["serve", "--config", "/config", "--data", "/data", "--host", "0.0.0.0", "--port", "8080"]
