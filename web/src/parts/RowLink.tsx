import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { navigate } from "wouter/use-browser-location";
import { basePath } from "../api/client.ts";

const BASE = basePath();

/** What the router's own links do: a plain click stays on the page, anything else is the browser's. */
function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  navigate(event.currentTarget.href);
}

/** A link for lists of thousands: the router's own follow the address one by one, and cost as much as their row. */
export function RowLink({ to, ...rest }: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "onClick">) {
  return <a {...rest} href={BASE + to} onClick={follow} />;
}
