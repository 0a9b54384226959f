import { describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { openTranscoding, shapeOf, withOriginal } from '../../support/media.ts';
import { ask, done, rowsOf } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import { addresses, addressOf, ann, hls, makeStream, open, read, streamed } from './support.ts';

it('a job with the tag __hls makes a shape with a file for each rendition', async () => {
  const { world, shapeId } = await streamed();
  const shape = await shapeOf(world, shapeId);
  expect(shape).toMatchObject({
    tag: ['__hls'],
    mimeType: ['video/mp4'],
    containerComponent: { format: 'cmaf', duration: { samples: 13_500 } },
    videoComponent: [720, 480, 360].map((height) => ({ resolution: { height }, file: [{ storage: 'VX-2' }] })),
    audioComponent: [{ channelCount: 2, file: [{ storage: 'VX-2' }] }],
  });
  expect(world.fake.orders.map(({ format, video, audio }) => [format, video?.scaling, audio?.codec])).toEqual([
    ...[720, 480, 360].map((height) => ['cmaf', { height }, undefined]),
    ['cmaf', undefined, 'aac'],
  ]);
  expect(await rowsOf(world, 'transcode_output')).toEqual([]);
  expect(world.fake.open).toBe(0);
});

it('a stream that is made again takes the place of the one before, with all of it', async () => {
  const { world, shapeId } = await streamed();
  const again = await makeStream(world);
  expect((await world.send(ask(`GET /API/item/VX-100/shape/${shapeId}`))).status).toBe(404);
  expect(new Set((await rowsOf(world, 'stream_rendition')).map((row) => row['shape_id']))).toEqual(new Set([again]));
  await done(world, ask(`DELETE /API/item/VX-100/shape/${again}`));
  expect(await rowsOf(world, 'stream_rendition')).toEqual([]);
});

describeMatrix('the manifest of a stream', (entry) => {
  it('is a playlist of renditions whose playlists and ranges need no credentials', async () => {
    const { world } = await streamed(entry.open);
    const before = await world.sequence();
    const { status, headers, body } = await read(world);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, hls.accept, 'no-store']);
    expect(body.split('\n').filter((line) => !line.startsWith('http'))).toEqual([
      ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'],
      expect.stringMatching(
        /^#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="http/,
      ),
      ...['1280x720', '853x480', '640x360'].map(
        (size) =>
          `#EXT-X-STREAM-INF:BANDWIDTH=6358,AVERAGE-BANDWIDTH=4490,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=${size},FRAME-RATE=25.000,AUDIO="sound"`,
      ),
      '#EXT-X-STREAM-INF:BANDWIDTH=3179,AVERAGE-BANDWIDTH=2245,CODECS="mp4a.40.2",AUDIO="sound"',
      '',
    ]);
    const playlist = await open(world, addressOf(body, '480p'));
    expect([playlist.status, playlist.headers.get('content-type')]).toEqual([200, hls.accept]);
    const lines = playlist.body.split('\n');
    const [file] = addresses(playlist.body);
    const map = /BYTERANGE="(\d+)@0"/.exec(playlist.body)!;
    const ranges = lines.flatMap((line) => /^#EXT-X-BYTERANGE:(\d+)@(\d+)$/.exec(line)?.slice(1).map(Number) ?? []);
    expect(lines.filter((line) => /^#EXT(?:INF|-X-T|-X-P|-X-E)/.test(line))).toEqual([
      ...['#EXT-X-TARGETDURATION:6', '#EXT-X-PLAYLIST-TYPE:VOD'],
      ...['#EXTINF:6.000000,', '#EXTINF:6.000000,', '#EXTINF:1.500000,', '#EXT-X-ENDLIST'],
    ]);
    expect(file).toMatch(/\/480p\.mp4\?/);
    const segment = await open(world, file!, { range: `bytes=${ranges[1]}-${ranges[1]! + ranges[0]! - 1}` });
    expect([segment.status, segment.headers.get('content-length'), segment.headers.get('content-type')]).toEqual([
      ...[206, String(ranges[0]), 'video/mp4'],
    ]);
    expect(segment.body.slice(4, 8)).toBe('moof');
    const policies = [playlist, segment].map((each) => each.headers.get('cross-origin-resource-policy'));
    expect(policies).toEqual(['cross-origin', 'cross-origin']);
    const head = await open(world, file!, { range: `bytes=0-${Number(map[1]) - 1}` });
    expect(head.body).toContain('moov');
    expect(await world.events(before)).toEqual([]);
  });

  it('is one of DASH for those who ask for it', async () => {
    const { world } = await streamed(entry.open);
    const byHeader = await read(world, '', 'application/dash+xml');
    const byQuery = await read(world, '?format=dash', '*/*');
    expect([byHeader.status, byHeader.headers.get('content-type')]).toEqual([200, 'application/dash+xml']);
    expect(byQuery).toMatchObject({ status: 200, body: byHeader.body });
    const [set, sound] = byHeader.body.split('</AdaptationSet>');
    expect(set).toContain('mediaPresentationDuration="PT13.500S"');
    expect(set).toMatch(
      /<Representation id="720p" bandwidth="3179" codecs="avc1.640028" width="1280" height="720" frameRate="25">/,
    );
    expect(sound).toMatch(/contentType="audio".*[\s\S]*AudioChannelConfiguration [^>]*value="2"/);
    const [, from, end] = /indexRange="(\d+)-(\d+)"/.exec(byHeader.body)!;
    const index = await open(world, addresses(byHeader.body.split('<BaseURL>')[1]!)[0]!, {
      range: `bytes=${from}-${end}`,
    });
    expect([index.status, index.body.slice(4, 8)]).toEqual([206, 'sidx']);
    expect((await read(world, '?format=hls', 'application/dash+xml')).headers.get('content-type')).toBe(hls.accept);
    expect((await read(world, '', 'text/html')).status).toBe(406);
  });
});

it('a stream whose version is not approved is for reviewers alone, where the rule names its tag', async () => {
  const { world } = await streamed();
  const readers = ['_item_shape_read', '_item_read'];
  const eve: Credentials = ['eve', 'p'];
  await prepare(world, [newUser(ann, readers), newUser(eve, [...readers, '_approval_write'])]);
  for (const [user] of [ann, eve]) await done(world, ask('POST /API/item/VX-100/access', { permission: 'READ', user }));
  await done(world, ask('PUT /API/configuration/properties', { key: 'approvedShapeTags', value: '__hls' }));
  const { status, headers, body } = await read(world, '', hls.accept, ann);
  expect([status, headers.get('portico-error')]).toEqual([403, 'not-approved']);
  expect(body).toMatch(/Expected an approved version of the item: version \d was not reviewed/);
  expect((await read(world, '', hls.accept, eve)).status).toBe(200);
  const [, version] = /version (\d)/.exec(body.slice(body.indexOf('the item')))!;
  await done(world, ask(`PUT /API/item/VX-100/shape/version/${version}/approval`, { state: 'approved' }));
  expect((await read(world, '', hls.accept, ann)).status).toBe(200);
});

/** Subtitles in two languages, and one that names none. */
const spoken = () => {
  const said = [
    ['1', '2.5', 'en_US', 'Fish & <chips>\n\ntoday'],
    ['3', '4', 'no', 'God morgen'],
    ['5', '6', undefined, 'Hum'],
  ].map(([start, end, lang, value]) => {
    const field = [{ name: 'stl_text', value: [{ value, ...(lang && { lang }) }] }];
    return { start: `${Number(start) * 10}@10`, end: `${Number(end) * 10}@10`, field };
  });
  return ask('PUT /API/item/VX-100/metadata', { timespan: said });
};

describeMatrix('subtitles of a stream', (entry) => {
  it('stand in both manifests by language, as WebVTT of the timed values', async () => {
    const { world } = await streamed(entry.open);
    expect((await read(world)).body).not.toContain('SUBTITLES');
    await done(world, spoken());
    const { body } = await read(world);
    expect(body.match(/^#EXT-X-MEDIA:TYPE=SUBTITLES,.*(?=,URI)/gm)).toEqual(
      ['en-US', 'no', 'und'].map(
        (language) =>
          `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="${language}",LANGUAGE="${language}",DEFAULT=NO,AUTOSELECT=YES`,
      ),
    );
    expect(body.match(/^#EXT-X-STREAM-INF:.*RESOLUTION.*,SUBTITLES="subtitles"$/gm)).toHaveLength(3);
    const playlist = await open(world, addressOf(body, 'text-en-US'));
    expect([playlist.status, playlist.headers.get('content-type')]).toEqual([200, hls.accept]);
    expect(playlist.body).toMatch(/#EXT-X-TARGETDURATION:14\n[\s\S]*#EXTINF:13\.500000,\nhttp.*\n#EXT-X-ENDLIST/);
    const text = await open(world, addresses(playlist.body)[0]!);
    expect([text.status, text.headers.get('content-type'), text.headers.get('cache-control'), text.body]).toEqual([
      ...[200, expect.stringMatching(/^text\/vtt/), 'no-store'],
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nFish &amp; &lt;chips&gt;\ntoday\n',
    ]);
    const dash = (await read(world, '', 'application/dash+xml')).body;
    const [, ...sets] = dash.split('contentType="text"');
    expect(sets.map((set) => /^ mimeType="text\/vtt" lang="([^"]+)"/.exec(set)?.[1])).toEqual(['en-US', 'no', 'und']);
    expect((await open(world, addresses(sets[1]!).find((uri) => uri.includes('/text-'))!)).body).toContain(
      'God morgen',
    );
    expect((await read(world, '?subtitles=false')).body).not.toContain('SUBTITLES');
  });
});

it('the addresses of files in a bucket are signed by the storage for the same time, where the caller wants it', async () => {
  const { world } = await streamed();
  // The methods of this world have ids that the service gives to others.
  const renamed = { sql: "UPDATE storage_method SET id = id || '00'", args: [] };
  await world.service.store.commit({ changes: [renamed], events: [] }, { user: 'test' });
  const bucket = encodeURIComponent('s3://KEY:hidden@bucket/out/');
  await done(world, ask(`PUT /API/storage/VX-2/method?url=${bucket}&read=true`));
  const dash = await read(world, '?format=dash&scheme=s3&duration=10');
  expect(dash.body).toMatch(/<BaseURL>https:\/\/[^?]*bucket[^?]*\.mp4\?[^<]*X-Amz-Expires=600&amp;[^<]*<\/BaseURL>/);
  expect(dash.body).not.toContain('hidden');
  const playlist = addressOf((await read(world, '?scheme=s3&duration=10')).body, '480p');
  await world.clock.advance(60_000);
  const { body } = await open(world, playlist);
  expect(body).toMatch(/^https:\/\/[^?]*bucket[^?]*\.mp4\?.*X-Amz-Expires=540&/m);
});

describe('the manifest of an item', () => {
  it('without a stream is 404, with what makes one', async () => {
    const world = await openTranscoding();
    const { shapeId } = await withOriginal(world);
    const none = await read(world, '', `${hls.accept}, application/problem+json`);
    expect([none.status, none.body]).toEqual([404, expect.stringContaining('/transcode?tag=__hls')]);
    expect((await read(world, `?shape=${shapeId}`)).status).toBe(404);
    expect((await read(world, '?shape=VX-9999')).status).toBe(404);
  });

  it('is of the latest version alone, unless a shape is named', async () => {
    const { world, shapeId } = await streamed();
    await world.service.store.commit(
      {
        changes: [
          {
            sql: "INSERT INTO shape (id, serial, item_id, essence_version, placeholder, mime_types, created_at, version) VALUES ('VX-900', 900, 'VX-100', 1, 0, '[]', 0, 1)",
            args: [],
          },
        ],
        events: [],
      },
      { user: 'test' },
    );
    expect((await read(world)).status).toBe(404);
    expect((await read(world, `?shape=${shapeId}`)).status).toBe(200);
  });

  it('needs a key to sign with', async () => {
    const { world } = await streamed(undefined, { secretKey: null });
    const { status, body } = await read(world, '', `${hls.accept}, application/problem+json`);
    expect([status, body]).toEqual([403, expect.stringContaining('PORTICO_SECRET_KEY')]);
  });
});

describe('an attack on a stream', () => {
  it('by a caller without READ for the shape gets no manifest', async () => {
    const { world, shapeId } = await streamed();
    await prepare(world, [newUser(ann, ['_item_shape_read', '_item_read'])]);
    expect((await read(world, '', hls.accept, ann)).status).toBe(403);
    await done(world, ask('POST /API/item/VX-100/access', { permission: 'READ', user: ann[0] }));
    expect((await read(world, '', hls.accept, ann)).status).toBe(200);
    const closed = { permission: 'NONE', user: ann[0], operation: { shape: { tag: '__hls' } }, priority: 1 };
    await done(world, ask('POST /API/item/VX-100/access', closed));
    expect((await read(world, '', hls.accept, ann)).status).toBe(404);
    expect((await read(world, `?shape=${shapeId}`, hls.accept, ann)).status).toBe(404);
  });

  it('by a caller without the role for shapes gets no manifest', async () => {
    const { world } = await streamed();
    await prepare(world, [newUser(ann, ['_item_read'])]);
    await done(world, ask('POST /API/item/VX-100/access', { permission: 'READ', user: ann[0] }));
    expect((await read(world, '', hls.accept, ann)).status).toBe(403);
  });

  it('with an address of another rendition, shape, storage or end gets no playlist', async () => {
    const { world, shapeId, original } = await streamed();
    const { body } = await read(world, '?duration=10');
    const uri = addressOf(body, '480p');
    const expires = Number(/grant=(\d+)/.exec(uri)![1]);
    const forged = [
      uri.replace('/480p.', '/720p.'),
      uri.replace('/480p.', '/audio.'),
      uri.replace('/480p.m3u8', '/480p.mp4'),
      uri.replace('/480p.', '/480p%20.'),
      uri.replace(`/${shapeId}/`, `/${original}/`),
      uri.replace('~https~', '~s3~'),
      uri.replace('~https~', '~http~'),
      uri.replace('~https~', '~ftp~'),
      uri.replace(String(expires), String(expires + 1)),
      uri.replace(/~\w/, '~!'),
      uri.replace(/.$/, '!'),
      uri.replace(/~[^~]*$/, ''),
      uri.replace(/\?.*/, ''),
    ];
    for (const each of forged) expect([each, (await open(world, each)).status]).toEqual([each, 403]);
    const unknown = await open(world, uri.replace(`/${shapeId}/`, '/VX-99999/'));
    expect([unknown.status, unknown.body]).toEqual([403, (await open(world, forged[3]!)).body]);
  });

  it('with the signature of a playlist gets no file, and with that of a file no playlist', async () => {
    const { world } = await streamed();
    const { body } = await read(world);
    const playlist = addressOf(body, '360p');
    const [file] = addresses((await open(world, playlist)).body);
    const query = (uri: string) => uri.slice(uri.indexOf('?') + 1);
    expect((await open(world, file!.replace(/\?.*/, `?${query(playlist)}`))).status).toBe(403);
    expect((await open(world, playlist.replace(/\?.*/, `?${query(file!)}`))).status).toBe(403);
    const stored = `http://portico.test/APInoauth/file/VX-2/data?${query(file!).replace(/^grant=(\d+)~https~/, 'expires=$1&signature=')}`;
    expect((await open(world, stored)).status).toBe(403);
    const [link] = (await done<{ uri: string[] }>(world, ask('POST /API/file/VX-2/uri'))).uri;
    expect((await open(world, link!)).status).toBe(200);
    expect(
      (
        await open(
          world,
          file!.replace(/\?.*/, `?grant=${query(link!).replace(/^expires=(\d+)&signature=/, '$1~https~')}`),
        )
      ).status,
    ).toBe(403);
  });

  it('after the end of the addresses gets neither playlists nor bytes', async () => {
    const { world } = await streamed();
    const playlist = addressOf((await read(world, '?duration=10')).body, '360p');
    const [file] = addresses((await open(world, playlist)).body);
    await world.clock.advance(10 * 60_000 - 1);
    expect([(await open(world, playlist)).status, (await open(world, file!)).status]).toEqual([200, 200]);
    await world.clock.advance(1000);
    expect([(await open(world, playlist)).status, (await open(world, file!)).status]).toEqual([403, 403]);
  });

  it('by a caller without READ for the metadata, or for its fields, gets no subtitles, nor later by an address of before', async () => {
    const { world } = await streamed();
    await done(world, spoken());
    await prepare(world, [newUser(ann, ['_item_shape_read', '_item_read', '_metadata_read'])]);
    await done(world, ask('POST /API/item/VX-100/access', { permission: 'READ', user: ann[0] }));
    const { body } = await read(world, '', hls.accept, ann);
    const [text] = addresses((await open(world, addressOf(body, 'text-no'))).body);
    expect((await open(world, text!)).body).toContain('God morgen');
    const forged = [
      text!.replace(/~[^~]*$/, ''),
      text!.replace(/~[^~]*$/, `~${(await rowsOf(world, 'user')).find(({ name }) => name === 'admin')!['id']}`),
      text!.replace('text-no', 'text-und'),
      text!.replace('.vtt', '.m3u8'),
    ];
    for (const each of forged) expect([each, (await open(world, each)).status]).toEqual([each, 403]);
    const closed = { permission: 'NONE', user: ann[0], operation: { metadata: { field: 'stl_text' } }, priority: 1 };
    await done(world, ask('POST /API/item/VX-100/access', closed));
    expect((await read(world, '', hls.accept, ann)).body).not.toContain('SUBTITLES');
    expect((await open(world, text!)).body).toBe('WEBVTT\n');
    await done(world, ask('DELETE /API/user/ann'));
    expect((await open(world, text!)).body).toBe('WEBVTT\n');
  });

  it('by a caller without the role for metadata gets no subtitles', async () => {
    const { world } = await streamed();
    await done(world, spoken());
    await prepare(world, [newUser(ann, ['_item_shape_read', '_item_read'])]);
    await done(world, ask('POST /API/item/VX-100/access', { permission: 'READ', user: ann[0] }));
    const { status, body } = await read(world, '', hls.accept, ann);
    expect([status, body.includes('SUBTITLES')]).toEqual([200, false]);
  });

  it('that was deleted gets 404 with addresses that were made before', async () => {
    const { world, shapeId } = await streamed();
    const playlist = addressOf((await read(world)).body, '360p');
    await done(world, ask(`DELETE /API/item/VX-100/shape/${shapeId}`));
    expect((await open(world, playlist)).status).toBe(404);
  });

  it('by addresses of a storage that signs none is refused', async () => {
    const { world } = await streamed();
    for (const accept of ['application/dash+xml', hls.accept]) {
      const { status, body } = await read(world, '?scheme=s3', `${accept}, application/problem+json`);
      expect([accept, status, body]).toEqual([accept, 400, expect.stringContaining('an s3 method')]);
    }
  });
});
