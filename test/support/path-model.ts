/**
 * What a request target means, said a second time and in another way: the yardstick for `canonicalTarget`.
 * It leans on the platform's own decoder and on the words of the rule, not on our code.
 */

export function modelPath(raw: string): string | 'refused' {
  if (/#/.test(raw)) return 'refused';
  const origin = /^https?:\/\/[^/?]*/i;
  const [front] = origin.exec(raw) ?? [];
  if (front !== undefined && !namesHost(front.slice(front.indexOf('//') + 2))) return 'refused';
  const target = raw === '*' ? '/' : raw.replace(origin, (authority) => (raw[authority.length] === '/' ? '' : '/'));
  if (!target.startsWith('/')) return 'refused';
  const [path = '', ...query] = target.split('?');
  if (query.join('?').split('&').some(malformed)) return 'refused';

  const stack: string[] = [];
  const segments = path.slice(1).split('/');
  for (const [index, segment] of segments.entries()) {
    const [name = '', ...parameters] = segment.split(';');
    const dots = name === '.' || name === '..';
    if (parameters.some(malformed) || malformed(name)) return 'refused';
    if (dots && segment.includes(';')) return 'refused';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      const emptyBefore = index > 0 && segments[index - 1]!.split(';')[0] === '';
      if (emptyBefore || stack.pop() === undefined) return 'refused';
      continue;
    }
    const decoded = decodeBytes(name);
    if (/[\p{Cc}/\\%;]/u.test(decoded.replace(/[\u0080-\u009f]/g, '')) || /^\.\.?$/.test(decoded)) return 'refused';
    stack.push(decoded);
  }
  if (stack[0] === 'API') stack.shift();
  return `/${stack.join('/')}`;
}

/** The parser of the platform, and before it what that parser takes in its stride. */
function namesHost(authority: string): boolean {
  const strange = /[^\w.~:[\]-]/.test(authority);
  const port = authority.slice(authority.lastIndexOf(']') + 1).split(':')[1];
  const strangePort = port !== undefined && (port === '' || port.length > 5);
  return authority !== '' && !strange && !strangePort && URL.canParse(`http://${authority}/`);
}

const asEscapes = (text: string): string =>
  text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);

function decodeBytes(text: string): string {
  return decodeURIComponent(asEscapes(text));
}

function malformed(text: string): boolean {
  try {
    // One part of a pair at a time: an escape cannot reach over the equals sign.
    const [name = '', ...value] = text.split('=');
    decodeBytes(name);
    decodeBytes(value.join('='));
    return false;
  } catch {
    return true;
  }
}

/** Pieces of which targets are made that somebody might read in two ways. */
export const targetPieces: readonly string[] = [
  ...['/', '//', '/./', '/../', '/..;/', '/.;/', '/;/', '\\', '?', '&', '=', '#', '%', '+', ' ', '~', '*', '\t'],
  ...['%2f', '%2F', '%5c', '%2e', '%2e%2e', '%3b', '%3f', '%23', '%25', '%252e', '%00', '%0a', '%0d%0a', '%7f', '%20'],
  ...['%c3%a9', '%e9', '%c0%ae', '%ef%bc%8f', '%ed%a0%80', '%f0%9f%94%91', '%zz', '%4', '\xe9', '\xc3\xa9', '\xff'],
  ...[';a=b', ';a', ';', ';=', '..', '.', '...', 'API', 'api', 'whoami', 'user', 'APInoauth', 'health', 'x', 'A'],
  ...['http://h', 'https://h:1', 'HTTP://h/', 'http://', 'ftp://h/', '/API/', '/user/', '/APIinit/', '/health/live'],
];
