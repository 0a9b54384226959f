/** Attributes of an event in CloudEvents 1.0, besides its data. */
export interface CloudAttributes {
  /** Id of the delivery, the same for all attempts. */
  readonly id: string;
  /** Where the events of this kind are registered, such as `/API/item`. */
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
}

/** Whether the attributes are in the body beside the data, or in headers beside the body. */
export type CloudMode = 'structured' | 'binary';

export const structuredType = 'application/cloudevents+json';
/** Parameter of a content type: the body stays as it is, and headers make it an event. */
export const binaryParameter = 'cloudevents=binary';

interface Message {
  readonly contentType: string;
  readonly body: string;
}

/** A body as the event that an action asks for. The data of a structured one is JSON. */
export function asCloudEvent(message: Message, mode: CloudMode | undefined, attributes: CloudAttributes) {
  if (mode === undefined) return message;
  const context = { specversion: '1.0', ...attributes };
  if (mode === 'binary') return { ...message, headers: headersOf(context) };
  const head = JSON.stringify({ ...context, datacontenttype: 'application/json' });
  return { ...message, body: `${head.slice(0, -1)},"data":${message.body}}` };
}

const headersOf = (context: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(context).map(([name, value]) => [`ce-${name}`, encoded(value)]));

/** The binding to HTTP encodes spaces, quotes, percent signs and all that is no visible ASCII. */
const encoded = (value: string): string =>
  value.toWellFormed().replace(/[^!#-$&-~]+/gu, (text) => encodeURIComponent(text));
