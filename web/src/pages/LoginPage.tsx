import { type FormEvent, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { stream } from "../api/live.ts";
import { queryClient } from "../api/queryClient.ts";
import { useLogin, useSession } from "../api/sessionQueries.ts";
import { useBoardTab } from "../effects/board.ts";
import forms from "../parts/form.module.css";
import { Failure, sectionStyles as styles } from "../parts/Section.tsx";

/** Takes a token for a session cookie; the token itself is kept nowhere. */
export function LoginPage() {
  useBoardTab("Login");
  const login = useLogin();
  const auth = useSession().data?.auth ?? "tokens";
  const [token, setToken] = useState("");
  const [, navigate] = useLocation();
  const back = new URLSearchParams(useSearch()).get("back");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    login.mutate(
      { token },
      {
        onSuccess: () => {
          setToken("");
          void queryClient.invalidateQueries();
          stream.retry();
          // Only a path of this page: never an address that somebody else wrote into the link.
          navigate(back?.startsWith("/") && !back.startsWith("//") ? back : "/");
        },
      },
    );
  };
  if (auth !== "tokens") {
    return (
      <>
        <h1 className={styles.title}>No token is asked for.</h1>
        <p className={styles.sub}>
          {auth === "none" ? "Whoever reaches this Headwater may look and act." : "The proxy in front of this Headwater says who you are."}{" "}
          <Link className="link" href="/">
            To the board
          </Link>
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className={styles.title}>Log in</h1>
      <p className={styles.sub}>This Headwater asks for a token. A viewer may look, an operator may acknowledge and note.</p>
      <form className={`${forms.form} ${forms.narrow}`} onSubmit={submit}>
        <label>
          Token
          <input
            type="password"
            autoComplete="current-password"
            required
            maxLength={4_096}
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        <p className={forms.row}>
          <button type="submit" className={`solid ${forms.do} ${forms.main}`} disabled={login.isPending || token === ""}>
            Log in
          </button>
        </p>
      </form>
      <Failure error={login.error} />
    </>
  );
}
