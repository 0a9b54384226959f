import type { OutboundAnswer, OutboundCall } from '../../spi/index.ts';
import { type Clock, noLongerAwaited } from '../lib/clock.ts';
import { describeError, type Log } from '../lib/log.ts';
import { Metrics } from '../lib/metrics.ts';
import type { Random } from '../lib/random.ts';
import { programVersion } from '../lib/version.ts';
import { metricsBody, spansBody } from './otlp.ts';
import { Spans } from './spans.ts';

interface TelemetrySettings {
  readonly otelExporterOtlpEndpoint: string;
  readonly otelExporterOtlpHeaders: { reveal(): string } | undefined;
  readonly otelServiceName: string;
  readonly otelTracesSamplerArg: string;
  readonly otelMetricExportInterval: number;
}

interface ExporterParts {
  readonly settings: TelemetrySettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly instanceId: string;
  fingerprint(text: string): string;
  /** Makes the figures current. */
  refresh(): Promise<void>;
  call(call: OutboundCall): Promise<OutboundAnswer>;
}

/** Milliseconds between two exports of spans, and for one call. */
const [spansEvery, timeout] = [5000, 10_000];
const maxAnswered = 65_536;
/** Bounds that the semantic conventions advise, in seconds. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** `http.server.request.duration` says the same, and more. */
const requestSeconds = 'portico_request_seconds';

/** Sends spans and metrics to a collector (OTLP over HTTP with JSON). Nothing waits for it, and what fails is dropped. */
export class Exporter {
  readonly spans: Spans;
  /** Notes how long a request took, with its attributes. */
  readonly took: (seconds: number, labels: Readonly<Record<string, string | number | undefined>>) => void;
  readonly #parts: ExporterParts;
  readonly #source;
  readonly #began: number;
  /** Metrics with the names of the semantic conventions. */
  readonly #conventional = new Metrics();
  readonly #stop = new AbortController();
  #lastMetrics: number;
  #isFailing = false;
  #running: Promise<void> | undefined;

  constructor(parts: ExporterParts) {
    const { settings, clock, random, fingerprint, instanceId, metrics } = parts;
    this.#parts = parts;
    this.#began = clock.now();
    this.#lastMetrics = this.#began;
    this.spans = new Spans({ random, fingerprint, ratio: Number(settings.otelTracesSamplerArg) });
    this.#source = {
      version: programVersion,
      attributes: {
        'service.name': settings.otelServiceName,
        'service.version': programVersion,
        'service.instance.id': instanceId,
      },
    };
    metrics.total('portico_spans_dropped', 'Spans dropped since the start: the collector is away, or too slow', () => {
      return this.spans.dropped;
    });
    const durations = this.#conventional.histograms(
      'http.server.request.duration',
      'Duration of HTTP server requests',
      durationBounds,
    );
    this.took = (seconds, labels) => durations(labels).observe(seconds);
  }

  /** Begins to export again and again, until `close`. */
  run(): void {
    this.#running ??= this.#exportAgain();
  }

  async #exportAgain(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#stop;
    for (;;) {
      await clock.sleep(spansEvery, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.flush();
    }
  }

  /** Exports what is due. */
  async flush(): Promise<void> {
    const { clock, metrics, settings, refresh } = this.#parts;
    const spans = this.spans.take();
    if (spans.length > 0 && !(await this.#send('/v1/traces', spansBody(spans, this.#source))))
      this.spans.dropped += spans.length;
    const now = clock.now();
    if (now - this.#lastMetrics < settings.otelMetricExportInterval && !this.#stop.signal.aborted) return;
    this.#lastMetrics = now;
    await refresh().catch(() => undefined);
    const own = metrics.read().filter(({ name }) => name !== requestSeconds);
    const readings = [...this.#conventional.read(), ...own];
    await this.#send('/v1/metrics', metricsBody(readings, this.#source, this.#began, now));
  }

  /** Ends `run`, and exports the rest. */
  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort(noLongerAwaited);
    await this.#running;
    await this.flush();
  }

  /** Whether the collector took it. The log has the first of several failures. */
  async #send(path: string, body: string): Promise<boolean> {
    const { settings, call, log } = this.#parts;
    const url = `${settings.otelExporterOtlpEndpoint.replace(/\/+$/, '')}${path}`;
    const headers = { ...headersOf(settings.otelExporterOtlpHeaders?.reveal()), 'content-type': 'application/json' };
    try {
      const { status } = await call({
        url,
        trusted: true,
        method: 'POST',
        headers,
        body,
        timeout,
        mostBytes: maxAnswered,
        longer: 'cut',
      });
      if (status >= 300) throw new Error(`Expected a collector that takes ${path}: it answered ${status}`);
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing) log.write('warn', 'telemetry-not-exported', describeError(error));
      this.#isFailing = true;
      return false;
    }
  }
}

/** `name=value` with commas between, values in percent-encoding (OTEL_EXPORTER_OTLP_HEADERS). */
export function headersOf(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
