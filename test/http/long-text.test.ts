import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../src/core/lib/text-stream.ts';
import { inPieces, isLong, plain, toResponse } from '../../src/http/reply.ts';
import { describeMatrix } from '../support/matrix.ts';
import { admin } from '../support/service.ts';

/** Two bytes and four bytes a character, so that pieces end inside of both. */
const long = `${'ü'.repeat(300_001)}${'𝄞'.repeat(300_000)}`;

describe('a long text', () => {
  it.each([
    ['whole', long],
    ['in parts', ['x', long, '', `${long}y`]],
  ])('%s is sent in pieces with all its characters and its length', async (_how, body) => {
    const expected = [body].flat().join('');
    const response = toResponse(await inPieces({ status: 200, type: 'text/plain', body }), {});
    const bytes = await response.arrayBuffer();
    expect(Number(response.headers.get('content-length'))).toBe(bytes.byteLength);
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes) === expected).toBe(true);
  });

  it('gives the loop back between its pieces', async () => {
    let turns = 0;
    const count = () => void turns++;
    for await (const bytes of piecesOf(long)) {
      expect(bytes.length).toBeLessThanOrEqual(4 * 256 * 1024);
      setTimeout(count, 0);
    }
    expect(turns).toBeGreaterThan(1);
  });

  it('that is short stays whole, also when it comes in parts', async () => {
    expect([isLong(plain('a')), isLong({ status: 200, body: ['a', 'b'] }), isLong(plain(long))]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await toResponse({ status: 200, body: ['a', 'b'] }, {}).text()).toBe('ab');
  });
});

describeMatrix('an answer of more than a piece', (entry) => {
  it('tells its length', async () => {
    const world = await entry.open();
    const value = 'ü'.repeat(400_000);
    const type = { 'content-type': 'text/plain' };
    await world.send({ as: admin, request: 'PUT /API/user/admin/metadata/long', headers: type, body: value });
    const { status, headers, body } = await world.send({
      as: admin,
      request: 'GET /API/user/admin/metadata/long',
      headers: { accept: 'text/plain', 'accept-encoding': 'identity' },
    });
    expect([status, headers.get('content-length'), body === value]).toEqual([200, '800000', true]);
  });
});
