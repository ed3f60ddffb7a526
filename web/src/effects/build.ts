import { useBoardPart } from "../api/boardQueries.ts";
import { useVersion } from "../api/sessionQueries.ts";

/** The build that answered first: the one that this page came from. */
let pageBuild: string | null = null;

/** Whether the server now runs another build than the page's. Looked at with each new boot. */
export function useNewBuild(): boolean {
  const boot = useBoardPart((board) => board.boot);
  const version = useVersion(boot).data;
  if (!version) return false;
  const build = `${version.version} ${version.commit}`;
  pageBuild ??= build;
  return build !== pageBuild;
}
