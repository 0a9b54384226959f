type Labels = Readonly<Record<string, string>>;

interface Metric {
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  lines(name: string): Iterable<string>;
}

export interface Counter {
  add(by?: number): void;
}

interface Histogram {
  observe(value: number): void;
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
    this.#metrics.set(name, {
      help,
      type: 'counter',
      *lines() {
        for (const one of series.values()) yield `${name}${labelText(one.labels)} ${one.value}`;
      },
    });
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
    this.#metrics.set(name, { help, type: 'gauge', lines: () => [`${name} ${read()}`] });
  }

  /** A gauge for each value of a label, which comes from a closed set. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [value: string, number]>): void {
    this.#metrics.set(name, {
      help,
      type: 'gauge',
      *lines() {
        for (const [value, now] of read()) yield `${name}${labelText({ [label]: value })} ${now}`;
      },
    });
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const counts = new Array<number>(bounds.length + 1).fill(0);
    let sum = 0;
    this.#metrics.set(name, {
      help,
      type: 'histogram',
      *lines() {
        let total = 0;
        for (const [i, count] of counts.entries()) {
          total += count;
          yield `${name}_bucket{le="${bounds[i] ?? '+Inf'}"} ${total}`;
        }
        yield `${name}_sum ${sum}`;
        yield `${name}_count ${total}`;
      },
    });
    return {
      observe(value) {
        sum += value;
        let i = 0;
        while (i < bounds.length && value > bounds[i]!) i++;
        counts[i]!++;
      },
    };
  }

  render(): string {
    let text = '';
    for (const [name, metric] of this.#metrics) {
      text += `# HELP ${name} ${metric.help}\n# TYPE ${name} ${metric.type}\n`;
      for (const line of metric.lines(name)) text += `${line}\n`;
    }
    return text;
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
    ([name, value]) => `${name}="${value.replace(/["\\\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`,
  );
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}
