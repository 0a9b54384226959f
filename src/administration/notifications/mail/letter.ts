import { escapeHtml } from '../../../core/lib/html.ts';
import { oneLine } from '../../../http/reply.ts';
import type { MailLanguage } from './kinds.ts';
import type { Letter } from './message.ts';
import { filled, mailTexts, type Sentence, type Values } from './texts.ts';

/** Sentence about one event. */
export interface Line {
  readonly sentence: Sentence;
  readonly values: Values;
  /** Page that shows it, below the address of the service. */
  readonly page: string;
  /** Words of a person about it. */
  readonly quote?: string | undefined;
}

interface Told {
  readonly lines: readonly Line[];
  /** Lines that there is no room for. */
  readonly more: number;
  readonly language: MailLanguage;
  /** Address of the service. */
  readonly base: string;
}

/** Characters of one value or quote. */
const maxValue = 300;

const cut = (text: string): string => {
  const line = oneLine(text).trim();
  return line.length > maxValue ? `${line.slice(0, maxValue - 1)}…` : line;
};

const escaped = (text: string): string => escapeHtml(text).toWellFormed();

/** Subject and two forms of the same text. Addresses lead to pages that ask for a login. */
export function letterOf({ lines, more, language, base }: Told): Pick<Letter, 'subject' | 'text' | 'html'> {
  const texts = mailTexts[language];
  const root = base.replace(/\/+$/, '');
  const paragraphs = lines.map(({ sentence, values, page, quote }) => {
    const cutValues = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]));
    const template = texts[sentence];
    return {
      text: filled(template, cutValues),
      html: filled(template, cutValues, escaped),
      address: `${root}/ui${page}`,
      quote: quote === undefined ? undefined : cut(quote),
    };
  });
  const rest = more > 0 ? [filled(texts.more, { count: String(more) })] : [];
  const footer = filled(texts.footer, { service: new URL(root).host });
  const count = String(lines.length + more);
  return {
    subject: paragraphs.length === 1 && more === 0 ? paragraphs[0]!.text : filled(texts.several, { count }),
    text: [
      ...paragraphs.map(({ text, quote, address }) => [text, ...(quote ? [`"${quote}"`] : []), address].join('\r\n')),
      ...rest,
      `-- \r\n${footer}\r\n${root}/ui/me\r\n`,
    ].join('\r\n\r\n'),
    html: [
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>`,
      ...paragraphs.map(({ html, quote, address }) =>
        [
          `<p><a href="${escaped(address)}">${html}</a></p>`,
          quote ? `<blockquote>${escaped(quote)}</blockquote>` : '',
        ].join(''),
      ),
      ...rest.map((text) => `<p>${escaped(text)}</p>`),
      `<hr><p><a href="${escaped(root)}/ui/me">${escaped(footer)}</a></p></body></html>`,
    ].join('\r\n'),
  };
}
