import type { Reader } from '../../../store/statement.ts';
import { fieldsBehind } from './store.ts';

const pageLength = 100;

const head = (namespace: string) => `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified">
<xs:complexType name="TerseValueType"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="end" type="xs:string"/><xs:attribute name="start" type="xs:string"/><xs:attribute name="uuid" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:element name="terse"><xs:complexType><xs:choice minOccurs="0" maxOccurs="unbounded">
`;

const tail = '</xs:choice></xs:complexType></xs:element>\n</xs:schema>\n';

/** The XML Schema of metadata in its terse form: an element for each field. It is as long as there are fields. */
export function terseSchema(reader: Reader, namespace: string): ReadableStream<Uint8Array> {
  const texts = textsOf(reader, namespace);
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(utf8.encode(value));
      },
      async cancel() {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* textsOf(reader: Reader, namespace: string): AsyncGenerator<string, void> {
  yield head(namespace);
  for (let last = { sortKey: '', name: '' }; ; ) {
    const page = await fieldsBehind(reader, { ...last, limit: pageLength });
    yield page.map(({ name }) => `<xs:element name="${name}" type="TerseValueType"/>\n`).join('');
    if (page.length < pageLength) break;
    last = page.at(-1)!;
  }
  yield tail;
}
