import { lazy, Suspense, useState } from "react";
import { Route, Switch, useLocation, useSearch } from "wouter";
import { useBoard } from "./api/boardQueries.ts";
import { useCut } from "./api/live.ts";
import styles from "./app.module.css";
import { ActsProvider } from "./effects/acts.tsx";
import { useMapWatch, useNames } from "./effects/board.ts";
import { useNewBuild } from "./effects/build.ts";
import { moveCursor, openCursor, useKey } from "./effects/keys.ts";
import { toggleUtc } from "./effects/settings.ts";
import { useSpoken } from "./effects/spoken.ts";
import { BoardPage } from "./pages/BoardPage.tsx";
import { ConnectionBanner, Masthead } from "./parts/Masthead.tsx";
import { Missing } from "./parts/Section.tsx";
import { Sprite } from "./parts/Sprite.tsx";

const HelpDialog = lazy(() => import("./parts/HelpDialog.tsx"));
const NodePage = lazy(() => import("./pages/NodePage.tsx").then((page) => ({ default: page.NodePage })));
const IncidentsPage = lazy(() => import("./pages/IncidentsPage.tsx").then((page) => ({ default: page.IncidentsPage })));
const IncidentPage = lazy(() => import("./pages/IncidentPage.tsx").then((page) => ({ default: page.IncidentPage })));
const MapPage = lazy(() => import("./pages/MapPage.tsx").then((page) => ({ default: page.MapPage })));
const LabelsPage = lazy(() => import("./pages/LabelsPage.tsx").then((page) => ({ default: page.LabelsPage })));
const HistoryPage = lazy(() => import("./pages/HistoryPage.tsx").then((page) => ({ default: page.HistoryPage })));
const ConfigPage = lazy(() => import("./pages/ConfigPage.tsx").then((page) => ({ default: page.ConfigPage })));
const LoginPage = lazy(() => import("./pages/LoginPage.tsx").then((page) => ({ default: page.LoginPage })));
const WallPage = lazy(() => import("./pages/WallPage.tsx").then((page) => ({ default: page.WallPage })));

/** The shell: masthead, connection banner, the page, the help sheet, and what a screen reader is told. */
export function App() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const [help, setHelp] = useState(false);
  const wall = path === "/" && new URLSearchParams(search).has("tv");
  useKey("?", () => setHelp(true));
  useKey("u", toggleUtc);
  useKey("t", () => navigate(wall ? "/" : "/?tv"));
  useKey("g b", () => navigate("/"));
  useKey("g i", () => navigate("/incidents"));
  useKey("g m", () => navigate("/map"));
  useKey("g l", () => navigate("/labels"));
  useKey("g h", () => navigate("/history"));
  useKey("g c", () => navigate("/config"));
  useKey("j", () => moveCursor(1));
  useKey("k", () => moveCursor(-1));
  useKey("o", openCursor);
  useMapWatch();
  useNewBuild();
  if (wall) {
    return (
      <Suspense>
        <Sprite />
        <WallPage />
      </Suspense>
    );
  }
  return (
    <ActsProvider>
      <Sprite />
      <a
        className="skip"
        href={`${path}#main`}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to the page
      </a>
      <div className="page">
        <Masthead onHelp={() => setHelp(true)} />
        <ConnectionBanner />
        <Main>
          <Suspense fallback={<p className="quiet">Loading.</p>}>
            <Pages />
          </Suspense>
        </Main>
      </div>
      <Spoken />
      {help && (
        <Suspense>
          <HelpDialog onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </ActsProvider>
  );
}

/** While the line is down nothing keeps its colour: it is not known to be true any more. */
function Main({ children }: { children: React.ReactNode }) {
  const [path] = useLocation();
  const lost = useCut() && path !== "/login";
  return (
    <main id="main" tabIndex={-1} className={styles.main} data-offline={lost || undefined}>
      {children}
    </main>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={BoardPage} />
      <Route path="/nodes/:id">{({ id }) => <NodePage key={id} id={decode(id)} />}</Route>
      <Route path="/incidents" component={IncidentsPage} />
      <Route path="/incidents/:id">
        {({ id }) => (/^\d{1,15}$/.test(id) ? <IncidentPage key={id} id={Number(id)} /> : <Missing what="incident" />)}
      </Route>
      <Route path="/map" component={MapPage} />
      <Route path="/labels" component={LabelsPage} />
      <Route path="/history" component={HistoryPage} />
      <Route path="/config" component={ConfigPage} />
      <Route path="/login" component={LoginPage} />
      <Route>
        <Missing what="page" />
      </Route>
    </Switch>
  );
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** One polite live region, there before its text. */
function Spoken() {
  const board = useBoard();
  const names = useNames(board?.nodes);
  const text = useSpoken(board, names);
  return (
    <p className="vh" role="status" aria-live="polite">
      {text}
    </p>
  );
}
