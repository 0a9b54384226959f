import { SaxesParser } from 'saxes';
import { readJson, readXml, simpleMetadataDocument, writeJson, writeXml } from '../../src/core/documents/index.ts';
import { median, type Row } from './row.ts';

/** Key-value metadata of about 10 KB: 54 fields, a namespace, attributes, entities, text outside ASCII. */
function sample(): string {
  const words = 'Opening night at the harbour stage, second camera, rain during the last act. ';
  const field = (index: number) => {
    const key = `<key>production/shooting-day-${index}/notes</key>`;
    const mode = index % 9 === 0 ? ' mode="add"' : '';
    return `  <field>\n    ${key}\n    <value${mode}>Blåbärsö ${index} &lt;take ${index % 7}&gt; &amp; "crowd" ${words.slice(0, 70 + (index % 40))}</value>\n  </field>`;
  };
  const fields = Array.from({ length: 54 }, (_, index) => field(index)).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<SimpleMetadataDocument xmlns="urn:example:schema">\n${fields}\n</SimpleMetadataDocument>\n`;
}

function bareSaxes(xml: string): void {
  const parser = new SaxesParser({ xmlns: true } as const);
  for (const event of ['attribute', 'opentag', 'text', 'cdata', 'closetag'] as const) parser.on(event, () => {});
  parser.write(xml).close();
}

/** Microseconds per call. */
function time(work: () => unknown, repeats: number): number {
  const start = performance.now();
  for (let i = 0; i < repeats; i++) work();
  return ((performance.now() - start) * 1000) / repeats;
}

/** Interleaved, so that a slow moment of the machine hits both sides of a ratio. */
export async function benchXml(rounds = 25, repeats = 120): Promise<Row[]> {
  const xml = sample();
  const bytes = new TextEncoder().encode(xml);
  const value = readXml(simpleMetadataDocument, bytes);
  const json = writeJson(simpleMetadataDocument, value);
  const work: Record<string, () => unknown> = {
    saxes: () => bareSaxes(xml),
    readXml: () => readXml(simpleMetadataDocument, bytes),
    writeXml: () => writeXml(simpleMetadataDocument, value, 'urn:example:schema'),
    readJson: () => readJson(simpleMetadataDocument, json),
    writeJson: () => writeJson(simpleMetadataDocument, value),
  };
  const times = new Map<string, number[]>();
  for (let round = -3; round < rounds; round++) {
    for (const [name, each] of Object.entries(work)) {
      const took = time(each, repeats);
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), took]);
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const took = (name: string) => median(times.get(name)!);
  const ratios = (name: string) => median(times.get('saxes')!.map((bare, round) => bare / times.get(name)![round]!));
  const describe = (name: string, floor: number): Row => ({
    name: `${name} ${took(name).toFixed(1)} us, bare saxes ${took('saxes').toFixed(1)} us (${bytes.length} bytes)`,
    ratio: ratios(name),
    floor,
  });
  return [describe('readXml', 0.6), describe('writeXml', 1.5), describe('readJson', 0.6), describe('writeJson', 2)];
}
