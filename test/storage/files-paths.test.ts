import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { encodedPath, fileUri, newPath, readUri } from '../../src/storage/files/path.ts';
import { register } from '../support/files.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking, bodyOf, rowsOf } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { librarian, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const enc = encodeURIComponent;

/** Paths that another reader could take for something else. */
const attacks: Readonly<Record<string, string>> = {
  'a path above the storage': '../etc/passwd',
  'a path above the storage, further down': 'in/../../etc/passwd',
  'a dot segment': './a.mov',
  'a dot segment in the middle': 'in/./a.mov',
  'a dot segment at the end': 'in/..',
  'nothing but a dot': '.',
  'an absolute path': '/etc/passwd',
  'an empty part': 'in//a.mov',
  'a slash at the end': 'in/',
  'a backslash': '..\\etc\\passwd',
  'a NUL that ends the path for others': 'a.mov\0.txt',
  'a line end that forges a line of a list': 'a.mov\r\nVX-9',
  'an escape character': 'a\x1b[2J.mov',
  'a DEL': 'a\x7f.mov',
  'more bytes than file systems take': `${'é'.repeat(2049)}`,
  'a half of a pair': 'a\ud800.mov',
};

describe('a path of a new file', () => {
  for (const [name, path] of Object.entries(attacks)) {
    it(`is not ${name}`, () => {
      expect(() => newPath(path)).toThrow(ServiceError);
    });
  }

  it('is anything else, byte by byte', () => {
    for (const path of [
      'a',
      'a b',
      '..a',
      'a..',
      '...',
      ' ',
      '%2e%2e',
      'ü',
      'a;b',
      'a?b#c',
      '~',
      'CON',
      'x'.repeat(4096),
    ])
      expect(newPath(path)).toBe(path);
  });
});

describe('an address of a file', () => {
  it('is read back to the path that it was made of', () => {
    for (const path of ['a.mov', 'in/a b.mov', 'ü#?;%41+&=@.mov', 'in/%2F.mov', "!'()*~"]) {
      for (const method of ['file:///srv/in/', 'file:///srv/in', 's3://bucket', 'ftp://host/in/?passive=false']) {
        const uri = fileUri(method, encodedPath(path));
        const { above, below } = readUri(uri);
        const place = method.replace(/\?.*/, '');
        expect([uri, above.includes(place), below(method)]).toEqual([uri, true, path]);
      }
    }
  });

  it('is read without the name and the password, and with one slash behind the scheme', () => {
    expect(readUri('ftp://ann:p%40ss@host/in/a').above).toEqual([
      'ftp://host/in/',
      'ftp://host/in',
      'ftp://host/',
      'ftp://host',
    ]);
    expect(readUri('ftp://ann@x@host/a').above).toContain('ftp://host/');
    expect(readUri('file:/srv/a').above).toContain('file:///srv/');
  });

  for (const [name, uri] of Object.entries({
    'goes above its method': 'file:///srv/in/../a',
    'goes above its method in an encoded part': 'file:///srv/in/%2e%2e/a',
    'hides a slash in a part': 'file:///srv/in/a%2Fb',
    'hides a backslash in a part': 'file:///srv/in/a%5Cb',
    'ends a part with a NUL': 'file:///srv/in/a%00',
    'has an empty part': 'file:///srv/in//a',
    'is no UTF-8': 'file:///srv/in/%ff',
  })) {
    it(`is refused where it ${name}`, () => {
      expect(() => readUri(uri).below('file:///srv/in/')).toThrow(ServiceError);
    });
  }

  it('is refused without a scheme, and the refusal does not quote it', () => {
    for (const uri of ['', 'a', '//host/a', 'ann:secret@host/a', 'file:', 's3:///', 'javascript:alert(1)']) {
      let thrown: unknown;
      try {
        readUri(uri).below('nothing');
      } catch (error) {
        thrown = error;
      }
      expect([uri, thrown]).toEqual([uri, expect.any(ServiceError)]);
      expect(JSON.stringify((thrown as ServiceError).detail)).not.toContain('secret');
    }
  });
});

describeMatrix('no path leads out of a storage', (entry) => {
  it('a caller who registers or relocates a file, by path, document or address', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    for (const path of Object.values(attacks).filter((each) => each.isWellFormed() && each.length < 100)) {
      const uri = `memory:///in/${path.split('/').map(enc).join('/')}`;
      for (const sent of [
        register(path),
        ask('POST /API/storage/VX-1/file', { path }),
        ask('POST /API/storage/VX-1/file', { uri: [uri] }),
        ask(`POST /API/storage/file?uri=${enc(uri)}`),
        ask(`POST /API/file/VX-1/path?path=${enc(path)}`),
      ]) {
        const answer = await world.send(sent);
        expect([sent.request, answer.status]).toEqual([sent.request, 400]);
      }
    }
    expect((await rowsOf(world, 'file')).map((row) => row['path'])).toEqual(['a.mov']);
  });

  it('and no address of a file is another one for chains and routes', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('a.mov')]);
    for (const segment of [
      '..%2Fa.mov',
      '%2e%2e%2Fa.mov',
      '..%5Ca.mov',
      'in%2F..%2Fa.mov',
      '%252e%252e%252fa.mov',
      'a.mov%00',
      '.%2Fa.mov',
    ])
      for (const place of ['/storage/VX-1/file/path', '/storage/file/path', '/storage/VX-1/file/uri'])
        expect([segment, (await world.send(ask(`GET /API${place}/${segment}`))).status]).toEqual([segment, 400]);
  });

  it('odd names come back as they were', async () => {
    const world = await worldOf('files', {}, entry.open);
    for (const [at, path] of [
      'a b.mov',
      '%41',
      'a;b=c',
      'a?b#c&d=e',
      '…/ü',
      'quote\'"<>&',
      '*',
      '[a]',
      '..a/b..',
    ].entries()) {
      expect(bodyOf(await world.send(register(path)))).toMatchObject({ id: `VX-${at + 1}`, path });
      expect(bodyOf(await world.send(ask(`GET /API/storage/VX-1/file/path/${enc(path)}`)))).toMatchObject({ path });
      expect(bodyOf(await world.send(ask(`GET /API/storage/VX-1/file?path=${enc(path)}`)))).toMatchObject({
        file: [{ path }],
      });
    }
  });
});
