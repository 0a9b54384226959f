import { describe, expect, it } from 'vitest';
import type { StartThread } from '../../../src/core/lib/thread-task.ts';
import { emptyPixels } from '../../../src/extensions/pictures/canvas.ts';
import { run as draw } from '../../../src/extensions/pictures/drawing-worker.ts';
import { readPixels, writePixels } from '../../../src/extensions/pictures/pixels.ts';
import { downloadTags, playedOf } from '../../../src/extensions/shares/item-view.ts';
import { transformHere } from '../../../src/extensions/stylesheets/processor/transform.ts';
import { MediaFault } from '../../../src/production/checking/public-reading.ts';
import { run as readWhole } from '../../../src/production/transcoding/codecs/whole-worker.ts';
import type { MarkOrder, Transcoder } from '../../../src/spi/index.ts';
import { box } from '../../production/transcoding/cmaf-samples.ts';
import { fakeTranscoder } from '../../production/transcoding/fake-transcoder.ts';
import { openWorld } from '../../support/matrix.ts';
import { bodyOf, sqlIn } from '../../support/requests.ts';
import { admin, type ServiceOptions } from '../../support/service.ts';
import { type Guest, gone, isGone, openShares, type Read } from './support.ts';

const grey = await writePixels(emptyPixels(320, 180, [128, 128, 128, 255]), 'image/jpeg');
/** Runs in this process what a server runs on threads. All services of a process share that of stylesheets. */
const thread: StartThread = ({ program }) =>
  (({ 'drawing-worker': draw, 'whole-worker': readWhole })[program.split('/').at(-1)!] ?? transformHere) as never;

/** A transcoder whose marked segments say what they were made of. */
function marker() {
  const orders: { readonly overlay: Uint8Array; readonly bytes: Uint8Array; readonly order: MarkOrder }[] = [];
  const failures: Error[] = [];
  const fake = fakeTranscoder();
  const transcoder: Transcoder = {
    ...fake,
    abilities: async () => ({ ...(await fake.abilities()), marks: true }) as never,
    async mark(source, order) {
      const failure = failures.shift();
      if (failure) throw failure;
      const bytes = await source.read({ from: 0, end: source.size });
      orders.push({ overlay: order.overlay, bytes, order });
      const parts = [
        box('ftyp', 'head'),
        box('moov', 'head'),
        box('moof', 'part'),
        box('mdat', `mark ${orders.length}`),
      ];
      return new Uint8Array(Buffer.concat([...parts, box('mfra', 'end')]));
    },
  };
  return { transcoder, orders, failures };
}

/** A film with a stream, pictures, and another form that browsers play. */
async function openMarks(options: ServiceOptions = {}) {
  const { transcoder, orders, failures } = marker();
  const own = { thread, transcoders: [transcoder], ...options };
  const at = await openShares((given) => openWorld('fetch', given), own);
  const item = await at.item('Film');
  const more = {
    videoComponent: [{ codec: 'h264', resolution: { width: 1280, height: 720 } }],
    audioComponent: [{ codec: 'aac' }],
  };
  const original = await at.shape(item, 'original', 'video/mp4', undefined, more);
  const lowres = await at.shape(item);
  await at.told('PUT /group/_thumbnail_read/user/maker', undefined, admin);
  await at.world.send({ as: admin, request: 'PUT /APIinit/preset-templates' });
  const { jobId } = await at.told(`POST /item/${item}/transcode?tag=__hls&storageId=VX-1`, undefined, admin);
  const readJob = () => at.told(`GET /job/${jobId}?metadata=true`, undefined, admin);
  let job = await readJob();
  for (; !/^(?:FINISHED|FAILED)/.test(job.status); job = await readJob()) {
    await at.world.service.tick();
    await at.world.clock.advance(5_000);
  }
  const stream = job.data.find(({ key }: Read) => key === 'shapeIds').value;
  for (const kind of ['thumbnail', 'poster']) {
    const { uri } = await at.told(`PUT /item/${item}/${kind}resource`, undefined, admin);
    const headers = { 'content-type': 'image/jpeg' };
    for (const time of [0, 10])
      await at.world.send({ as: admin, headers, request: `PUT ${uri[0]}/${time}`, body: grey });
  }
  const burnt = (document: object = {}) =>
    at.share(`item/${item}`, { allow: ['play'], asksName: true, mark: { burn: true, strength: 80 }, ...document });
  const bytes = async ({ id, cookie }: Pick<Guest, 'id' | 'cookie'>, path: string) => {
    const headers = { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie };
    const answer = await at.world.service.fetch(
      new Request(`http://localhost/APInoauth/share/${id}${path}`, { headers }),
    );
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      bytes: new Uint8Array(await answer.arrayBuffer()),
    };
  };
  const film = (shape = stream) => `/item/${item}/shape/${shape}/marked`;
  return { ...at, clip: item, original, lowres, stream, burnt, bytes, film, orders, failures };
}

const isMarked = async (bytes: Uint8Array<ArrayBuffer>, isIn: (x: number, y: number) => boolean = () => true) => {
  const { width, data } = (await readPixels(bytes))!;
  for (let at = 0; at < data.length; at += 4)
    if (Math.abs(data[at]! - 128) > 40 && isIn((at / 4) % width, Math.floor(at / 4 / width))) return true;
  return false;
};

describe('the mark of a share', () => {
  it('tells the page its text for each guest, also after a change in an open session', async () => {
    const at = await openMarks();
    const document = { title: 'Rushes', asksName: true, mark: { text: '{name} of {title}, {date}' } };
    const link = await at.share(`item/${at.clip}`, document);
    expect(link.mark).toEqual({ text: '{name} of {title}, {date}', place: 'tiles', strength: 30, burn: false });
    const [ann, ben] = [await at.guest(link.token, { name: 'Ann' }), await at.guest(link.token, { name: 'Ben' })];
    const { use } = await at.told(`GET /share/${link.id}/use`);
    const day = new Date(at.world.clock.now()).toISOString().slice(0, 10);
    expect(use.map(({ name, number }: Read) => `${name} of Rushes, ${day} #${number}`)).toEqual([
      ben.told.mark.text,
      ann.told.mark.text,
    ]);
    await at.told(`PUT /share/${link.id}`, { mark: { text: 'Only {date}', place: 'bottom', strength: 90 } });
    const { mark } = bodyOf<Read>(await at.get(ann));
    expect(mark).toMatchObject({ text: `Only ${day} #${use[1].number}`, place: 'bottom', strength: 90 });
    await at.told(`PUT /share/${link.id}`, {});
    expect(bodyOf<Read>(await at.get(ann)).mark).toBeUndefined();
  });

  it('is refused with what it cannot show, and with downloads beside one that is burnt in', async () => {
    const at = await openShares((given) => openWorld('fetch', given), { thread });
    const item = await at.item('Film');
    for (const [document, context] of [
      [{ mark: { text: ' ' } }, '/ShareDocument/mark/text'],
      [{ mark: { text: 'x'.repeat(101) } }, '/ShareDocument/mark/text'],
      [{ mark: { text: 'a\nb' } }, '/ShareDocument/mark/text'],
      [{ mark: { text: '{password}' } }, '/ShareDocument/mark/text'],
      [{ mark: { text: 'a {name' } }, '/ShareDocument/mark/text'],
      [{ mark: { strength: 9 } }, '/ShareDocument/mark/strength'],
      [{ mark: { place: 'left' } }, '/ShareDocument/mark/place'],
      [{ asksName: false, mark: {} }, '/ShareDocument/asksName'],
      [{ allow: ['download'], mark: { burn: true } }, '/ShareDocument/mark/burn'],
      [{ download: ['lowres'], mark: { burn: true } }, '/ShareDocument/mark/burn'],
    ] as const) {
      const answer = await at.send(`POST /item/${item}/share`, { asksName: true, ...document });
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(context)]);
    }
    expect((await at.told('GET /share')).share ?? []).toEqual([]);
  });

  it('that is burnt in is refused where nothing draws it, and a share that has one shows no media there', async () => {
    const at = await openMarks({ thread: undefined });
    const answer = await at.send(`POST /item/${at.clip}/share`, { asksName: true, mark: { burn: true } });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('/ShareDocument/mark/burn')]);
    expect((await at.told('GET /share')).terms.burns).toEqual([]);
    const link = await at.share(`item/${at.clip}`, { allow: ['play'], asksName: true, mark: {} });
    const guest = await at.guest(link.token, { name: 'Ann' });
    expect((await at.bytes(guest, `/item/${at.clip}/picture`)).status).toBe(200);
    await sqlIn(at.world, 'UPDATE share SET mark = ?', JSON.stringify({ ...link.mark, burn: true }));
    for (const path of ['picture', 'picture?small=true', 'sheet', 'sheet/image', 'stream', `shape/${at.lowres}`])
      expect([path, isGone(await at.get(guest, `/item/${at.clip}/${path}`))]).toEqual([path, gone]);
    expect(bodyOf<Read>(await at.get(guest, `/item/${at.clip}`))).toMatchObject({ shape: [], unmarked: true });
  });

  it('that is burnt in says which items have no film that gets it, and plays none without a transcoder', async () => {
    const at = await openMarks();
    const still = await at.item('Still');
    await at.shape(still);
    const both = await at.collection('Both', at.clip, still);
    const document = { allow: ['play'], asksName: true, mark: { burn: true } };
    const { nothingToPlay } = await at.share(`collection/${both}`, document);
    expect(nothingToPlay).toMatchObject([{ id: still, title: 'Still' }]);
    expect((await at.told('GET /share')).terms.burns).toEqual(['pictures', 'films']);
    const lacking = await openMarks({ transcoders: [fakeTranscoder()] });
    const link = await lacking.burnt();
    expect(link.nothingToPlay).toMatchObject([{ id: lacking.clip }]);
    const guest = await lacking.guest(link.token, { name: 'Ann' });
    expect(bodyOf<Read>(await lacking.get(guest, `/item/${lacking.clip}`))).toMatchObject({
      shape: [],
      unmarked: true,
    });
    expect(isGone(await lacking.get(guest, `/item/${lacking.clip}/stream`))).toBe(gone);
    expect((await lacking.bytes(guest, `/item/${lacking.clip}/picture`)).status).toBe(200);
  });

  it('is in each segment of a film, made once for each guest, with the names of the parts in the playlist', async () => {
    const at = await openMarks();
    const { token } = await at.burnt();
    const [ann, ben] = [await at.guest(token, { name: 'Ann' }), await at.guest(token, { name: 'Ben' })];
    const master = (await at.get(ann, `/item/${at.clip}/stream`)).body;
    expect(master.match(/^(?!#).+/gm)).toEqual([`shape/${at.stream}/marked/film.m3u8`]);
    expect([...master.matchAll(/RESOLUTION=(\S+?),/g)].map(([, size]) => size)).toEqual(['1280x720']);
    expect(master).toMatch(/TYPE=AUDIO.*URI="http/);
    expect(master).not.toContain('IMAGE');
    const playlist = (await at.get(ann, `${at.film()}/film.m3u8`)).body;
    const parts = playlist.match(/^(?!#).+/gm)!;
    expect([playlist.match(/MAP:URI="(.*)"/)![1], parts[0]]).toEqual(['head.mp4', '0.m4s']);
    expect(parts.length).toBeGreaterThan(1);
    const [head, first] = await Promise.all(['head.mp4', '0.m4s'].map((each) => at.bytes(ann, `${at.film()}/${each}`)));
    const text = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes).replace(/[^a-z\d ]/g, '');
    expect([head!.type, text(head!), text(first!)]).toEqual(['video/mp4', 'ftypheadmoovhead', 'moofpartmdatmark 1']);
    expect(text(await at.bytes(ann, `${at.film()}/0.m4s`))).toBe('moofpartmdatmark 1');
    expect(text(await at.bytes(ben, `${at.film()}/0.m4s`))).toBe('moofpartmdatmark 2');
    expect(text(await at.bytes(ann, `${at.film()}/1.m4s`))).toBe('moofpartmdatmark 3');
    const [one, two, three] = at.orders;
    expect(Buffer.compare(one!.overlay, two!.overlay)).not.toBe(0);
    expect(Buffer.compare(one!.overlay, three!.overlay)).toBe(0);
    // The head of the rendition stands before each of its segments, and they differ.
    const headBytes = Math.min(...at.orders.map(({ bytes }) => bytes.indexOf(109)));
    expect(headBytes).toBeGreaterThan(0);
    expect(Buffer.compare(one!.bytes, two!.bytes)).toBe(0);
    expect(Buffer.compare(one!.bytes, three!.bytes)).not.toBe(0);
  });

  it('is in no stream of sound, so guests play none', () => {
    const sound = { id: 'VX-1', tag: ['__hls'], containerComponent: { format: 'cmaf' }, audioComponent: [{}] };
    const film = { ...sound, id: 'VX-2', videoComponent: [{}] };
    const terms = { plays: 1, downloads: 1, play: '[]', download: '["__hls"]', mark: '{"burn":true}' };
    expect(playedOf([sound, film], terms)).toEqual([film]);
    expect(downloadTags(terms)).toEqual([]);
  });

  it('that fails on a segment leaves the segment out, and says so in the log', async () => {
    const at = await openMarks();
    const guest = await at.guest((await at.burnt()).token, { name: 'Ann' });
    at.failures.push(new MediaFault('broken', 'Expected a film'), new MediaFault('exhausted', 'Expected a faster one'));
    expect(isGone(await at.get(guest, `${at.film()}/0.m4s`))).toBe(gone);
    const slow = await at.get(guest, `${at.film()}/0.m4s`);
    expect([slow.status, slow.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await at.get(guest, `${at.film()}/0.m4s`)).status).toBe(200);
    // A file that is gone from its storage tells the guest no name.
    await sqlIn(at.world, "UPDATE file SET path = path || '.gone'");
    const lost = await at.get(guest, `${at.film()}/1.m4s`);
    expect([isGone(lost), lost.body]).toEqual([gone, expect.not.stringContaining('.gone')]);
    expect(at.world.lines.filter(({ event }) => event === 'mark-failed')).toHaveLength(2);
  });
});

describe('a hostile guest of a share with a burnt mark', () => {
  it('asks for the poster, the thumbnail and the sheet without the mark, by whatever way', async () => {
    const at = await openMarks();
    const guest = await at.guest((await at.burnt()).token, { name: 'Ann' });
    for (const path of ['picture', 'picture?small=true', 'sheet/image']) {
      const answer = await at.bytes(guest, `/item/${at.clip}/${path}`);
      expect([path, answer.status, answer.type, await isMarked(answer.bytes)]).toEqual([path, 200, 'image/jpeg', true]);
    }
    // Each thumbnail of the sheet has it: the page cuts them out one by one.
    const sheet = (await at.bytes(guest, `/item/${at.clip}/sheet/image`)).bytes;
    const { thumbnail } = bodyOf<Read>(await at.get(guest, `/item/${at.clip}/sheet`));
    expect(thumbnail).toHaveLength(2);
    for (const { x, y, width, height } of thumbnail)
      expect(await isMarked(sheet, (left, top) => left >= x && left < x + width && top >= y && top < y + height)).toBe(
        true,
      );
    for (const [name, value] of [
      ['if-none-match', '*'],
      ['range', 'bytes=0-99'],
    ] as const) {
      const answer = await at.get(guest, `/item/${at.clip}/picture`, { headers: { [name]: value } });
      expect([name, answer.status]).toEqual([name, 200]);
    }
    for (const kind of ['poster', 'thumbnail'])
      for (const path of [`/APInoauth/${kind}/VX-1/${at.clip}/0`, `/API/${kind}/VX-1/${at.clip}/0`])
        expect((await at.by(guest.cookie, `GET ${path}`)).status).toBeGreaterThanOrEqual(400);
  });

  it('asks for originals, films for the web, the archive, and segments that are not marked', async () => {
    const at = await openMarks();
    const link = await at.burnt();
    const guest = await at.guest(link.token, { name: 'Ann' });
    const { shape } = bodyOf<Read>(await at.get(guest, `/item/${at.clip}`));
    expect(shape).toMatchObject([{ id: at.stream, stream: true, play: true, download: false }]);
    for (const path of [
      ...[`/item/${at.clip}/shape/${at.original}`, `/item/${at.clip}/shape/${at.lowres}`, '/archive'],
      ...[`/item/${at.clip}/shape/${at.stream}`, `${at.film(at.original)}/film.m3u8`, `${at.film(at.lowres)}/0.m4s`],
      ...['99.m4s', '-1.m4s', 'head.mp4.m4s', '720p.mp4', '1e1.m4s'].map((part) => `${at.film()}/${part}`),
    ])
      expect([path, isGone(await at.get(guest, path))]).toEqual([path, gone]);
    const stream = (await at.get(guest, `/item/${at.clip}/stream`)).body;
    const audio = /URI="(http[^"]*)"/.exec(stream)![1]!;
    // The address of the sound opens the sound alone.
    for (const name of ['720p.mp4', '720p.m3u8', 'tiles-5000-2x2-64x36.m3u8']) {
      const url = audio.replace(/[^/]+\?/, `${name}?`);
      expect([name, (await at.world.send({ request: `GET ${url}` })).status]).toEqual([name, 403]);
    }
  });

  it('of another share, of a past one, or without the mark takes the segments of this one', async () => {
    const at = await openMarks();
    const [link, plain] = [await at.burnt(), await at.share(`item/${at.clip}`, { allow: ['play'] })];
    const [ann, eve] = [await at.guest(link.token, { name: 'Ann' }), await at.guest(plain.token)];
    const path = `${at.film()}/0.m4s`;
    expect((await at.get(ann, path)).status).toBe(200);
    expect(isGone(await at.get({ ...eve, id: ann.id }, path))).toBe(gone);
    expect(isGone(await at.get(eve, path))).toBe(gone);
    await at.told(`DELETE /share/${link.id}`);
    expect(isGone(await at.get(ann, path))).toBe(gone);
    expect(at.orders).toHaveLength(1);
  });

  it('had the share open before the mark was burnt in, and asks on', async () => {
    const at = await openMarks();
    const link = await at.share(`item/${at.clip}`, { allow: ['play', 'download'] });
    const guest = await at.guest(link.token);
    expect((await at.get(guest, `/item/${at.clip}/shape/${at.original}`)).status).toBe(200);
    await at.told(`PUT /share/${link.id}`, { allow: ['play'], mark: { text: 'Draft', burn: true, strength: 80 } });
    for (const path of [`/item/${at.clip}/shape/${at.original}`, '/archive'])
      expect(isGone(await at.get(guest, path))).toBe(gone);
    expect(await isMarked((await at.bytes(guest, `/item/${at.clip}/picture`)).bytes)).toBe(true);
  });

  it('a name has commands, parts of templates, turned writing or the number of somebody else, or thins the mark', async () => {
    const at = await openShares((given) => openWorld('fetch', given), { thread });
    const item = await at.item('Film');
    const mark = { text: '{name}', burn: true };
    const { token, id } = await at.share(`item/${item}`, { allow: ['play'], asksName: true, mark });
    for (const [name, shown] of [
      [String.raw`%{pts} 'a':b\,drawtext=text=x;[v]`, "pts 'a'b,drawtexttextxv"],
      ['{date}{title}{name}', 'datetitlename'],
      ['$& $1 $`', '1'],
      ["Ann O’Neil (Berg & Co., D'Or_2)", "Ann O’Neil (Berg & Co., D'Or_2)"],
      ['Ann\u202e\u2066\u200f nnA', 'Ann nnA'],
      [`A${'\u0301'.repeat(90)}`, '\u00c1\u0301\u0301'],
      ['\u200b\u2060\ufeff', ''],
      ['مرحبا', 'مرحبا'],
      ['Ben #1', 'Ben 1'],
      ['Ben ＃1 ﹟2 ♯3 ⌗4 №5', 'Ben 1 2 3 4 No5'],
      ['.'.repeat(100), ''],
      [`a${' .'.repeat(40)} b`, 'a b'],
      ['\u3164\u2800\u115f\uffa0'.repeat(20), ''],
      [`${'l'.repeat(100)}`, 'l'.repeat(40)],
    ] as const) {
      const guest = await at.guest(token, { name });
      const { use } = await at.told(`GET /share/${id}/use`);
      expect(guest.told.mark.text).toBe(`${shown} #${use[0].number}`.trimStart());
    }
    for (const name of ['Ann\u0000', 'a\nb', 'x'.repeat(101)])
      expect((await at.enter(token, { name })).status).toBe(400);
  });
});
