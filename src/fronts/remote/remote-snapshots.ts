import type { AskControl } from "./control-client.ts";
import { nameInPath } from "./name-in-path.ts";

/** The snapshots of a server, which all its sessions share. */
export interface RemoteSnapshots {
  /** Their names, in the order in which they were taken. */
  readonly list: () => Promise<readonly string[]>;
  /** Forgets a snapshot; false when there was none of that name. */
  readonly delete: (name: string) => Promise<boolean>;
}

/** What takes a server's session to a snapshot, and back to one. */
export interface RemoteSnapshotTaking {
  /** Keeps everything that requests can change, as it is now, under a name, in place of one of that name. */
  readonly snapshot: (name: string) => Promise<void>;
  /** Goes back to the snapshot of a name, of any session. Rejects with `ERR_OPTION_INVALID`. */
  readonly restore: (name: string) => Promise<void>;
}

/** Reaches the snapshots of a server. */
export function remoteSnapshots(ask: AskControl): RemoteSnapshots {
  return {
    list: async () => {
      const answer = await ask({ method: "GET", path: "/snapshots", what: "list the snapshots" });
      // What the control API answers; it is our own.
      const { snapshots } = answer as { readonly snapshots: readonly { readonly name: string }[] };
      return snapshots.map(({ name }) => name);
    },
    delete: async (name) => {
      const path = pathOf(name);
      const what = "forget the snapshot";
      return (await ask({ method: "DELETE", path, what, unless: "unknown_snapshot" })) !== null;
    },
  };
}

/** Takes snapshots of one session. */
export function remoteSnapshotTaking(ask: AskControl): RemoteSnapshotTaking {
  return {
    snapshot: async (name) => {
      await ask({ method: "PUT", path: pathOf(name), what: "take the snapshot" });
    },
    restore: async (name) => {
      await ask({ method: "POST", path: `${pathOf(name)}/restore`, what: "restore the snapshot" });
    },
  };
}

function pathOf(name: string): string {
  return `/snapshots/${nameInPath(name)}`;
}
