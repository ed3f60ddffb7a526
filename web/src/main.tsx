import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { basePath } from "./api/client.ts";
import { firstBoard, startLive } from "./api/live.ts";
import { queryClient } from "./api/queryClient.ts";
import { App } from "./app.tsx";
import { startKeys } from "./effects/keys.ts";
import "./styles/tokens.css";
import "./styles/base.css";

/** Milliseconds that an empty page waits for what it is to show, which mostly is here before the scripts are. */
const PATIENCE = 100;

startLive();
startKeys();
void firstBoard(PATIENCE).then(() => {
  const root = document.getElementById("root");
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base={basePath()}>
          <App />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
});
