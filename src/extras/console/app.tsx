import type { VNode } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";
import { Client, keepControlToken } from "./api/client.ts";
import type { Failure } from "./api/failure.ts";
import { baseOf } from "./api/place.ts";
import type { ConsoleSetup } from "./api/setup.ts";
import { FailureNotice } from "./parts/failure-notice.tsx";
import { useLoad } from "./parts/use-load.ts";
import { Shell } from "./shell.tsx";

/** The console: the set-up is read, then the views are there. */
export function App(): VNode {
  const client = useMemo(() => new Client(baseOf(location.pathname)), []);
  const {
    value: setup,
    failure,
    reload,
  } = useLoad<ConsoleSetup>(
    useCallback(() => client.control("/console.json"), [client]),
    "",
  );
  if (failure?.code === "wrong_token") return <TokenForm onGiven={reload} />;
  if (setup !== undefined) return <Shell client={client} setup={setup} reload={reload} />;
  return (
    <main class="door" aria-busy={failure === undefined}>
      {failure === undefined ? (
        <p class="muted">Opening the console…</p>
      ) : (
        <Closed failure={failure} onRetry={reload} />
      )}
    </main>
  );
}

function Closed({
  failure,
  onRetry,
}: {
  readonly failure: Failure;
  readonly onRetry: () => void;
}): VNode {
  return (
    <>
      <h1>Backlot</h1>
      <FailureNotice failure={failure} />
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}

function TokenForm({ onGiven }: { readonly onGiven: () => void }): VNode {
  const [token, setToken] = useState("");
  const [wasGiven, setGiven] = useState(false);
  const give = (event: Event): void => {
    event.preventDefault();
    keepControlToken(token.trim());
    setGiven(true);
    onGiven();
  };
  return (
    <main class="door">
      <h1>Backlot</h1>
      <form onSubmit={give} class="stack">
        <p>This server asks for its control token, the one that it was started with.</p>
        <label class="field">
          <span>Control token</span>
          <input
            type="password"
            autocomplete="off"
            required
            autofocus
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {wasGiven && (
          <p class="notice failure" role="alert">
            That is not the token of this server.
          </p>
        )}
        <button type="submit" class="primary">
          Open the console
        </button>
        <p class="muted">It is kept for this tab, until it is closed.</p>
      </form>
    </main>
  );
}
