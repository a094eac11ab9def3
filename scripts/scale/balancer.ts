/** What stands in front of several processes, and sends each session to one of them. */
export interface Balancer {
  readonly url: string;
  readonly close: () => Promise<void>;
}
