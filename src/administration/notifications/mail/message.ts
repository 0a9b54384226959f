import { toBase64, truncateUtf8 } from '../../../core/lib/bytes.ts';
import type { Mailbox } from '../../../core/lib/mail-address.ts';
import { oneLine } from '../../../http/reply.ts';

/** A message before it has a sender and a date. */
export interface Letter {
  /** Id that is the same for all attempts, so that a receiver knows a repetition. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
}

const encoder = new TextEncoder();
/** Characters of a subject. */
const maxSubject = 200;
/** Bytes of one encoded word: 48 characters in base64, so that its line is short enough. */
const maxWord = 36;
/** Bytes of one line: 76 characters in base64. */
const lineBytes = 57;
/** No line of base64 has these signs. */
const boundary = '=_portico';

/** A message in the form of RFC 5322. All parts are base64, so no text of it can end a header, a part or the message. */
export function messageOf({ id, to, subject, text, html }: Letter, from: Mailbox, at: number): string {
  const parts = [part('plain', text), ...(html === undefined ? [] : [part('html', html)])];
  const isOne = parts.length === 1;
  const head = [
    `From: ${from.name === '' ? '' : `${wordsOf(from.name)} `}<${from.address}>`,
    `To: <${to}>`,
    `Subject: ${wordsOf(subject.slice(0, maxSubject).toWellFormed())}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${domainOf(from)}>`,
    'MIME-Version: 1.0',
    // Programs that answer mail, such as for people on leave, answer no mail of a program.
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
  ];
  if (isOne) return `${head.join('\r\n')}\r\n${parts[0]}`;
  const type = `Content-Type: multipart/alternative; boundary="${boundary}"`;
  const body = parts.map((each) => `--${boundary}\r\n${each}`).join('');
  return `${[...head, type].join('\r\n')}\r\n\r\n${body}--${boundary}--\r\n`;
}

export const domainOf = ({ address }: Mailbox): string => address.slice(address.lastIndexOf('@') + 1);

function part(type: 'plain' | 'html', text: string): string {
  const bytes = encoder.encode(text);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += lineBytes) lines.push(toBase64(bytes.subarray(at, at + lineBytes)));
  return `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines.join('\r\n')}\r\n`;
}

/** Text of a header: plain words as they are, others as RFC 2047 encodes them. */
function wordsOf(text: string): string {
  const line = oneLine(text).trim();
  if (/^[A-Za-z0-9 '*+,\-/]{0,60}$/.test(line)) return line;
  const words: string[] = [];
  for (let rest = line; rest !== ''; ) {
    const word = truncateUtf8(rest, maxWord);
    words.push(`=?utf-8?B?${toBase64(encoder.encode(word))}?=`);
    rest = rest.slice(word.length);
  }
  return words.join('\r\n ');
}
