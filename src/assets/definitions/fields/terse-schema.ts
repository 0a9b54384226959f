import { textStream } from '../../../core/lib/text-stream.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { MediaType } from '../../../http/negotiation.ts';
import { fieldsBehind } from './store.ts';

const pageLength = 100;

/** Format of a schema: head, fields with separators, and tail. */
interface Form {
  head(namespace: string): string;
  readonly field: (name: string) => string;
  readonly between: string;
  readonly tail: string;
}

const xml: Form = {
  head: (namespace) => `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified">
<xs:complexType name="TerseValueType"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="end" type="xs:string"/><xs:attribute name="start" type="xs:string"/><xs:attribute name="uuid" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:element name="terse"><xs:complexType><xs:choice minOccurs="0" maxOccurs="unbounded">
`,
  field: (name) => `<xs:element name="${name}" type="TerseValueType"/>`,
  between: '\n',
  tail: '\n</xs:choice></xs:complexType></xs:element>\n</xs:schema>\n',
};

const text = { type: 'string' };
const values = {
  type: 'array',
  items: { type: 'object', properties: { end: text, start: text, uuid: text, value: text } },
};

const json: Form = {
  head: () =>
    `{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"values":${JSON.stringify(values)}},"type":"object","properties":{`,
  field: (name) => `${JSON.stringify(name)}:{"$ref":"#/$defs/values"}`,
  between: ',',
  tail: '}}',
};

/** Streams the schema of terse metadata page by page, since its length grows with the fields. */
export function terseSchema(type: MediaType, reader: Reader, namespace: string): ReadableStream<Uint8Array> {
  return textStream(textsOf(type === 'application/json' ? json : xml, reader, namespace));
}

async function* textsOf(form: Form, reader: Reader, namespace: string): AsyncGenerator<string, void> {
  yield form.head(namespace);
  let before = '';
  for (let last = { sortKey: '', name: '' }; ; ) {
    const page = await fieldsBehind(reader, { ...last, limit: pageLength });
    if (page.length > 0) yield `${before}${page.map(({ name }) => form.field(name)).join(form.between)}`;
    if (page.length < pageLength) break;
    before = form.between;
    last = page.at(-1)!;
  }
  yield form.tail;
}
