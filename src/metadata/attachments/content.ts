import { badValue } from '../../documents/bad-value.ts';
import { sentBytes } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import type { MediaType } from '../../http/negotiation.ts';
import type { Reply } from '../../http/reply.ts';
import { downloadHeaders } from '../../media/public.ts';
import { type Content, keptType } from './rules.ts';
import type { AttachmentRow } from './store.ts';

/** Stored media type is returned, whatever the client accepts. */
export const keptForms: readonly MediaType[] = [
  'application/octet-stream',
  'application/xml',
  'application/json',
  'text/plain',
];

/** Body as bytes. 400 if empty. */
export async function sentContent(call: Call, limit: number): Promise<Content> {
  const content = await sentBytes(call.request, limit);
  if (content.byteLength === 0) throw badValue('body', 'what is to be kept');
  return { mediaType: keptType(call.request.headers.get('content-type')), content };
}

/** Reply that browsers download instead of showing. */
export const keptReply = ({ name, mediaType, content }: AttachmentRow): Reply => ({
  status: 200,
  type: mediaType,
  body: content,
  headers: downloadHeaders(name),
});
