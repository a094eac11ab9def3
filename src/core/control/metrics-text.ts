import { bucketsMs, type Histogram, type Metrics } from "../emulator/metrics.ts";
import type { Session } from "../emulator/session.ts";

/** Metrics in the text format of Prometheus, version 0.0.4. Times are in seconds. */
export function metricsText(metrics: Metrics, sessions: readonly Session[]): string {
  const loads = sessions.map(({ load }) => load?.counts() ?? { running: 0, waiting: 0 });
  const total = (of: "running" | "waiting"): number =>
    loads.reduce((sum, counts) => sum + counts[of], 0);
  const requests = [...metrics.requests].flatMap(([name, counts]) =>
    [...counts].map(([status, count]) => sample(count, { interface: name, status })),
  );
  const streams = [...metrics.streams].map(([ended, count]) => sample(count, { ended }));
  const over = [...metrics.streams.values()].reduce((sum, count) => sum + count, 0);
  return [
    family(
      "requests_total",
      "counter",
      "Requests that are over, by status; 0: no answer.",
      requests,
    ),
    family("streams_total", "counter", "Streams that are over, by how they ended.", streams),
    family("streams_running", "gauge", "Streams that are being sent.", [
      sample(metrics.streamsBegun - over),
    ]),
    family("chats_running", "gauge", "Chats that take up capacity.", [sample(total("running"))]),
    family("chats_waiting", "gauge", "Chats that wait for capacity.", [sample(total("waiting"))]),
    family("chats_refused_total", "counter", "Chats refused for want of capacity.", [
      sample(metrics.refused),
    ]),
    histogram("queue_seconds", "How long chats waited for capacity.", metrics.queue),
    histogram(
      "time_to_first_token_seconds",
      "From a chat's arrival to the first token of its stream.",
      metrics.firstToken,
    ),
    histogram(
      "time_between_tokens_seconds",
      "Between two tokens of a stream.",
      metrics.betweenTokens,
    ),
  ].join("");
}

/** A line's value and its labels, as they follow the metric's name. */
function sample(value: number, labels: Readonly<Record<string, string | number>> = {}): string {
  const all = Object.entries(labels).map(([name, text]) => `${name}="${text}"`);
  return `${all.length === 0 ? "" : `{${all.join(",")}}`} ${value}`;
}

function family(name: string, type: string, help: string, samples: readonly string[]): string {
  const lines = samples.map((one) => `backlot_${name}${one}\n`);
  return `# HELP backlot_${name} ${help}\n# TYPE backlot_${name} ${type}\n${lines.join("")}`;
}

function histogram(name: string, help: string, { counts, sumMs }: Histogram): string {
  let total = 0;
  const buckets = [...bucketsMs, Infinity].map((bound, place) => {
    total += counts[place] ?? 0;
    return `_bucket${sample(total, { le: bound === Infinity ? "+Inf" : bound / 1000 })}`;
  });
  return family(name, "histogram", help, [
    ...buckets,
    `_sum${sample(sumMs / 1000)}`,
    `_count${sample(total)}`,
  ]);
}
