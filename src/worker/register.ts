import { cannotStart } from "./cannot-start.ts";

/** Registers the script, and waits until it runs. Rejects with an `EmulatorError` that says what to do. */
export async function register(script: URL, scope: string | undefined): Promise<ServiceWorker> {
  const options = { updateViaCache: "none", ...(scope === undefined ? {} : { scope }) } as const;
  const registration = await navigator.serviceWorker
    .register(script, options)
    .catch((cause: unknown) => {
      throw notRegistered(script, scope, cause);
    });
  if (!location.href.startsWith(registration.scope)) {
    throw cannotStart(
      `it answers pages below ${registration.scope}, and this one is ${location.href}. Put the script into the folder ` +
        "that the site's root is served from, or have it served with the header service-worker-allowed and give the " +
        'scope: startWorker({ scope: "/" }).',
    );
  }
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (worker === null)
    throw cannotStart("it was removed while it was installed. Load the page anew.");
  await activated(worker, script);
  return worker;
}

function activated(worker: ServiceWorker, script: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") {
        const folder = new URL("backlot-worker/", script);
        reject(
          cannotStart(
            `it could not be installed. Its parts have to lie at ${folder.href}: npx backlot init --worker <public folder>.`,
          ),
        );
      }
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

function notRegistered(script: URL, scope: string | undefined, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isScope = scope !== undefined && reason.includes("max scope");
  const remedy = isScope
    ? `Put the script higher up, or have it served with the header service-worker-allowed: ${scope}`
    : "Service workers have to be allowed in this browser, and the script served as JavaScript.";
  return cannotStart(`${script.href} cannot be registered: ${reason} ${remedy}`, cause);
}
