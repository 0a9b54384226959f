type Labels = Readonly<Record<string, string | number | undefined>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

interface Total {
  readonly labels: Labels;
  /** Values up to each bound, and last those above all bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
}

type Reading =
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
  | { readonly type: 'histogram'; readonly bounds: readonly number[]; readonly samples: readonly Total[] };

/** Values of a metric at one time. */
export type MetricReading = Reading & { readonly name: string; readonly help: string };

interface Metric {
  readonly help: string;
  read(): Reading;
}

export interface Counter {
  add(by?: number): void;
}

/** Histograms of one name. */
const maxHistograms = 2000;

class Buckets {
  readonly labels: Labels;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[], labels: Labels) {
    this.#bounds = bounds;
    this.labels = labels;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    this.#sum += value;
    let i = 0;
    while (i < this.#bounds.length && value > this.#bounds[i]!) i++;
    this.#counts[i]!++;
  }

  read(): Total {
    return { labels: this.labels, counts: [...this.#counts], sum: this.#sum };
  }
}

class Series implements Counter {
  readonly labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  add(by = 1): void {
    this.value += by;
  }
}

/** Prometheus text exposition, small enough to own: counters, gauges that are read when asked, histograms. */
export class Metrics {
  readonly #metrics = new Map<string, Metric>();

  /** A counter for each set of label values, made on first use. The values come from closed sets, never from a request. */
  counter<L extends string>(name: string, help: string, ...labelNames: L[]): (...values: string[]) => Counter {
    const series = new Map<string, Series>();
    const read = (): Reading => ({
      type: 'counter',
      samples: Array.from(series.values(), ({ labels, value }) => ({ labels, value })),
    });
    this.#metrics.set(name, { help, read });
    return (...values) => {
      const key = values.length === 1 ? values[0]! : values.join('\0');
      let one = series.get(key);
      if (!one) {
        one = new Series(Object.fromEntries(labelNames.map((label, i) => [label, values[i] ?? ''])));
        series.set(key, one);
      }
      return one;
    };
  }

  gauge(name: string, help: string, read: () => number): void {
    this.#metrics.set(name, { help, read: () => ({ type: 'gauge', samples: [{ labels: {}, value: read() }] }) });
  }

  /** A counter that is read when asked. */
  total(name: string, help: string, read: () => number): void {
    this.#metrics.set(name, { help, read: () => ({ type: 'counter', samples: [{ labels: {}, value: read() }] }) });
  }

  /** A gauge for each value of a label, which comes from a closed set. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [value: string, number]>): void {
    const samples = () => Array.from(read(), ([text, value]) => ({ labels: { [label]: text }, value }));
    this.#metrics.set(name, { help, read: () => ({ type: 'gauge', samples: samples() }) });
  }

  histogram(name: string, help: string, bounds: readonly number[]): Pick<Buckets, 'observe'> {
    return this.histograms(name, help, bounds)({});
  }

  /** A histogram for each set of labels, made on first use. The values come from closed sets. Beyond a bound, one has none. */
  histograms(name: string, help: string, bounds: readonly number[]): (labels: Labels) => Pick<Buckets, 'observe'> {
    const series = new Map<string, Buckets>();
    const read = (): Reading => ({
      type: 'histogram',
      bounds,
      samples: Array.from(series.values(), (one) => one.read()),
    });
    this.#metrics.set(name, { help, read });
    return (wanted) => {
      const isFull = series.size >= maxHistograms;
      const key = Object.values(wanted).join('\0');
      let one = series.get(key) ?? (isFull ? series.get('') : undefined);
      if (!one) {
        one = new Buckets(bounds, isFull ? {} : wanted);
        series.set(isFull ? '' : key, one);
      }
      return one;
    };
  }

  /** Values of all metrics. */
  read(): readonly MetricReading[] {
    return Array.from(this.#metrics, ([name, { help, read }]) => ({ ...read(), name, help }));
  }

  render(): string {
    let text = '';
    for (const reading of this.read()) {
      text += `# HELP ${reading.name} ${reading.help}\n# TYPE ${reading.name} ${reading.type}\n`;
      for (const line of linesOf(reading)) text += `${line}\n`;
    }
    return text;
  }
}

function* linesOf(reading: MetricReading): Iterable<string> {
  const { name } = reading;
  if (reading.type !== 'histogram') {
    for (const { labels, value } of reading.samples) yield `${name}${labelText(labels)} ${value}`;
    return;
  }
  for (const { labels, counts, sum } of reading.samples) {
    let total = 0;
    for (const [i, count] of counts.entries()) {
      total += count;
      yield `${name}_bucket${labelText({ ...labels, le: String(reading.bounds[i] ?? '+Inf') })} ${total}`;
    }
    yield `${name}_sum${labelText(labels)} ${sum}`;
    yield `${name}_count${labelText(labels)} ${total}`;
  }
}

const sample = /^([a-zA-Z_:]+)(?:\{(.*)\})? (\S+)$/;

/** Joins the texts of several processes. Each sample gets a label with the name of its process. */
export function joinMetrics(label: string, texts: readonly (readonly [name: string, text: string])[]): string {
  const metrics = new Map<string, { head: string; lines: string[] }>();
  for (const [name, text] of texts) {
    let current: { head: string; lines: string[] } | undefined;
    for (const line of text.split('\n')) {
      const match = sample.exec(line);
      if (line.startsWith('# HELP ')) {
        current = metrics.get(line) ?? { head: '', lines: [] };
        metrics.set(line, current);
      } else if (match) {
        const [, metric, labels, value] = match;
        current?.lines.push(`${metric}{${label}="${name}"${labels ? `,${labels}` : ''}} ${value}\n`);
      } else if (current && line !== '') current.head = `${line}\n`;
    }
  }
  return [...metrics].map(([help, { head, lines }]) => `${help}\n${head}${lines.join('')}`).join('');
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/["\\\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`,
  );
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}
