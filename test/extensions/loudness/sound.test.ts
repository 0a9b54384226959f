import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkv, png, wav } from '../../production/checking/samples.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { openBehind } from '../../support/matrix.ts';
import { fileWith, openTranscoding, shapeWith, type TranscodingWorld } from '../../support/media.ts';
import { ask, bodyOf, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { viewer } from '../../support/world.ts';

const analyzed = async (world: TranscodingWorld, path = '/item/VX-100', body = '{}') =>
  ended(world, (await done<JobSeen>(world, ask(`POST /API${path}/analyze`, body))).jobId);

/** The item VX-100 has an original of one second of sound. */
async function withSound(world: TranscodingWorld, bytes: Uint8Array, name = 'a.wav'): Promise<string> {
  const fileId = await fileWith(world, name, bytes);
  return shapeWith(world, { containerComponent: { file: [{ id: fileId }] }, audioComponent: [{}, {}] });
}

describe('the sound of an item', () => {
  let world: TranscodingWorld;
  let shapeId: string;
  let job: JobSeen;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    world = await openTranscoding({}, (given) => openBehind('fetch', given ?? {}, (end) => ends.push(end)));
    shapeId = await withSound(world, await wav({ seconds: 1 }));
    job = await analyzed(world);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  const get = async <T>(path: string) => done<T>(world, ask(`GET /API/item/VX-100/${path}`));
  const status = async (path: string) => (await world.send(ask(`GET /API/item/VX-100/${path}`))).status;

  it('is measured by a job, without a transcoder where no decoder is needed', async () => {
    expect([job.type, job.status], JSON.stringify(job)).toEqual(['ANALYZE', 'FINISHED']);
    expect(world.fake.orders).toEqual([]);
    expect(await rowsOf(world, 'sound_level')).toHaveLength(2);
  });

  it('has a waveform as values, in amplitudes or in decibels, whole or in part', async () => {
    interface Values {
      readonly value: readonly {
        readonly data: readonly number[];
        readonly channel: number;
        readonly itemTrack: string;
      }[];
    }
    const { value } = await get<Values>('waveform/values?width=5');
    expect(value.map(({ channel, itemTrack }) => [channel, itemTrack])).toEqual([
      [0, 'A1'],
      [1, 'A1'],
    ]);
    for (const each of value[0]!.data) expect(each).toBeCloseTo(8000 / 32_768, 3);
    const [one] = (await get<Values>(`waveform/values?shape=${shapeId}&channel=1&width=4&dB=true&start=0.5&end=40@PAL`))
      .value;
    expect(one!.channel).toBe(1);
    // The sound lasts one second, and nothing is behind it.
    expect(one!.data.map(Math.round)).toEqual([-12, -12, -100, -100]);
    const xml = await world.send({ ...ask('GET /API/item/VX-100/waveform/values?width=1'), headers: {} });
    expect(xml.body).toContain('<value><data>0.244');
  });

  it('has a waveform as a picture, and its address', async () => {
    const path =
      'waveform/image?width=40&height=21&bgcolor=000000&fgcolor=%23ff8000&hgridline=0.5&hgridlinecolor=00ff00';
    const answer = await world.send({
      as: admin,
      request: `GET /API/item/VX-100/${path}`,
      headers: { accept: 'image/png' },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.body.slice(1, 4)).toBe('PNG');
    const uri = await world.send({
      as: admin,
      request: `GET /API/item/VX-100/${path.replace('image', 'imageURI')}`,
      headers: {},
    });
    expect([uri.status, uri.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
    expect(uri.body).toMatch(
      /^https?:\/\/[^/]+\/API\/item\/VX-100\/waveform\/image\?width=40&.*hgridlinecolor=00ff00$/,
    );
  });

  it('has an address of a picture for each of its tracks', async () => {
    const answer = await world.send({
      as: admin,
      request: 'GET /API/item/VX-100/waveform/alltracks?width=40',
      headers: {},
    });
    expect(answer.body).toMatch(/^https?:\/\/[^/]+\/API\/item\/VX-100\/waveform\/image\?width=40&itemTrack=A1\r\n$/);
    const path = answer.body.trim().replace(/^https?:\/\/[^/]+/, '');
    const picture = await world.send({ as: admin, request: `GET ${path}`, headers: { accept: 'image/png' } });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await status('waveform/alltracks?stream=7')).toBe(404);
  });

  it('is measured through a component of its shape, and through a file that the shape has', async () => {
    const shape = await done<{ containerComponent: { id: string; file: { id: string }[] } }>(
      world,
      ask(`GET /API/item/VX-100/shape/${shapeId}`),
    );
    const { id, file } = shape.containerComponent;
    const [{ id: fileId } = { id: '' }] = file;
    for (const path of [
      `/item/VX-100/shape/${shapeId}/component/${id}`,
      `/storage/file/${fileId}`,
      `/file/${fileId}`,
    ]) {
      await world.service.store.commit(
        { changes: [{ sql: 'DELETE FROM sound', args: [] }], events: [] },
        { user: 'test' },
      );
      const { status: end, data } = await analyzed(world, path);
      expect([end, data?.find(({ key }) => key === 'shapeId')?.value], path).toEqual(['FINISHED', shapeId]);
      expect(await rowsOf(world, 'sound'), path).toMatchObject([{ shape_id: shapeId }]);
    }
    const unused = await fileWith(world, 'unused.wav', await wav({ seconds: 1 }));
    const refused = async (path: string) => (await world.send(ask(`POST /API${path}/analyze`, '{}'))).status;
    expect(await refused(`/storage/file/${unused}`)).toBe(400);
    expect(await refused('/storage/file/VX-9999')).toBe(404);
    expect(await refused(`/item/VX-100/shape/${shapeId}/component/VX-9999`)).toBe(404);
    const before = await world.sequence();
    const resource = await world.send(ask('POST /API/item/VX-100/analyze?resourceId=VX-77', '{}'));
    expect([resource.status, resource.body]).toEqual([404, expect.stringContaining('"type":"resource","id":"VX-77"')]);
    expect(await world.events(before)).toEqual([]);
  });

  it('is measured through a file for a caller who may write one of the items that have it', async () => {
    const shapes = new Map<string, string>();
    let fileId = '';
    for (const item of ['VX-100', 'VX-101']) {
      const id = await fileWith(world, `${item}.wav`, await wav({ seconds: 1 }));
      shapes.set(item, await shapeWith(world, { containerComponent: { file: [{ id }] } }, `of-${item}`, item));
      fileId ||= id;
    }
    const shared = { sql: 'UPDATE file_use SET file_id = ? WHERE shape_id = ?', args: [fileId, shapes.get('VX-101')!] };
    await world.service.store.commit({ changes: [shared], events: [] }, { user: 'test' });
    const asked = async () => {
      const answer = await world.send({ ...ask(`POST /API/file/${fileId}/analyze`, '{}'), as: viewer });
      if (answer.status !== 200) return answer.status;
      const { data } = await ended(world, (JSON.parse(answer.body) as JobSeen).jobId);
      return data?.find(({ key }) => key === 'shapeId')?.value;
    };
    expect(await asked()).toBe(403);
    for (const [item, shape] of shapes) {
      const entry = JSON.stringify({ user: viewer[0], permission: 'WRITE' });
      const { id } = await done<{ id: string }>(world, ask(`POST /API/item/${item}/access`, entry));
      expect(await asked(), item).toBe(shape);
      await world.send(ask(`DELETE /API/item/${item}/access/${id}`));
    }
    for (const [item, shape] of shapes) await world.send(ask(`DELETE /API/item/${item}/shape/${shape}`));
  });

  it('has a loudness by EBU R 128', async () => {
    const found = await get<Readonly<Record<string, unknown>>>('loudness?tag=original');
    expect(found).toMatchObject({ id: 'VX-100', shape: shapeId, shapeTag: 'original', start: '0', end: '1' });
    expect(found['mix']).toEqual([
      { weightdB: 0, sourceItemTrack: 'A1', sourceStream: 0, sourceChannel: 0 },
      { weightdB: 0, sourceItemTrack: 'A1', sourceStream: 0, sourceChannel: 1 },
    ]);
    expect(found['loudnessLU']).toBeGreaterThan(-16);
    expect(found['loudnessLU']).toBeLessThan(-10);
  });

  it('has the loudness of a part, and of other channels with other weights', async () => {
    const put = (body: object) => done<Measures>(world, ask('PUT /API/item/VX-100/loudness', body));
    interface Measures {
      readonly mix: readonly Readonly<Record<string, unknown>>[];
      readonly start: string;
      readonly end: string;
      readonly loudnessLU?: number;
      readonly loudnessRangeLU?: number;
    }
    const both = (await get<Measures>('loudness')).loudnessLU!;
    const same = await put({});
    expect(same).toMatchObject({
      shape: shapeId,
      start: '0',
      end: '1',
      mix: [{ sourceChannel: 0 }, { sourceChannel: 1 }],
    });
    expect(same.loudnessLU).toBeCloseTo(both, 1);
    const left = { name: 'left', weightdB: -6, sourceItemTrack: 'A1', sourceChannel: 0 };
    const part = await put({ shapeTag: 'original', start: '5@10', end: '1', mix: [left] });
    expect(part).toMatchObject({ start: '5@10', end: '1', mix: [{ ...left, sourceStream: 0 }] });
    // A single channel of two equal ones is quieter by 3 dB, and its weight takes 6 dB more.
    expect(part.loudnessLU! - both).toBeCloseTo(-9, 0);
    expect(await put({ mix: [{ sourceStream: 0 }], startLoudness: '0.7' })).toMatchObject({
      mix: [{ sourceChannel: 0 }, { sourceChannel: 1 }],
      startLoudness: '0.7',
    });
    expect((await put({ startLoudness: '0.7' })).loudnessLU, 'shorter than 400 ms').toBeUndefined();
  });

  it('refuses parts and mixes that the sound does not have', async () => {
    const refused = async (body: object) => {
      const { status: code, body: told } = await world.send(ask('PUT /API/item/VX-100/loudness', body));
      return [code, told];
    };
    const rows: readonly (readonly [body: object, place: string])[] = [
      [{ start: 'soon' }, '/LoudnessDocument/start'],
      [{ start: '2', end: '1' }, '/LoudnessDocument/end'],
      [{ endRange: '0' }, '/LoudnessDocument/endRange'],
      [{ mix: [{ sourceItemTrack: 'V1' }] }, '/LoudnessDocument/mix/sourceItemTrack'],
      [{ mix: [{ sourceStream: 0, sourceChannel: 2 }] }, '/LoudnessDocument/mix/sourceChannel'],
      [{ mix: [{ sourceStream: 1 }] }, '/LoudnessDocument/mix/sourceStream'],
      [{ mix: [{ name: 'left' }] }, '/LoudnessDocument/mix/sourceStream'],
      [{ mix: [{ sourceStream: 0, weightdB: 99 }] }, '/LoudnessDocument/mix/weightdB'],
    ];
    for (const [body, place] of rows) expect(await refused(body), place).toEqual([400, expect.stringContaining(place)]);
    expect(await refused({ shape: 'VX-9999' })).toEqual([404, expect.anything()]);
    expect((await world.send(ask('PUT /API/item/VX-101/loudness', {}))).status).toBe(404);
  });

  it('is refused where it was not measured, or is asked for what is none', async () => {
    const missing = await world.send({ as: admin, request: 'GET /API/item/VX-101/waveform/imageURI', headers: {} });
    expect([missing.status, missing.body]).toEqual([404, expect.stringContaining('POST /item/VX-101/analyze')]);
    const unmeasured = await done(world, ask('GET /API/item/VX-101/waveform/values?ifMeasured=true'));
    expect(unmeasured).not.toHaveProperty('value.0');
    expect(await status('waveform/values?ifMeasured=true&shape=VX-9999')).toBe(404);
    expect(await status('waveform/values')).toBe(200);
    expect(await status('loudness?tag=lowres')).toBe(404);
    expect(await status('waveform/values?shape=VX-9999')).toBe(404);
    expect(await status('waveform/values?stream=7')).toBe(404);
    for (const query of ['itemTrack=V1', 'start=2&end=1', 'start=soon', 'width=0', 'width=99999']) {
      expect(await status(`waveform/values?${query}`), query).toBe(400);
    }
    const image = async (query: string) =>
      (await world.send({ as: admin, request: `GET /API/item/VX-100/waveform/image?${query}`, headers: {} })).status;
    for (const query of ['bgcolor=red', 'min=1&max=0', 'min=x', 'vgridline=-1', 'width=9999', 'height=0']) {
      expect(await image(query), query).toBe(400);
    }
  });

  it('says what it does not detect, and is forgotten with its shape', async () => {
    const body = JSON.stringify({ black: { threshold: 0.1, percentage: 95 }, freeze: { threshold: 0.05, time: 1 } });
    const told = await analyzed(world, `/item/VX-100/shape/${shapeId}`, body);
    expect(told.status).toBe('FINISHED_WARNING');
    expect(JSON.stringify(told.log)).toContain('Not detected here: black, freeze');
    await done(world, ask(`DELETE /API/item/VX-100/shape/${shapeId}`));
    expect([await rowsOf(world, 'sound'), await rowsOf(world, 'sound_level')]).toEqual([[], []]);
  });
});

describe('sound that needs a decoder', () => {
  it('is unpacked by the transcoder, which leaves nothing behind', async () => {
    const world = await openTranscoding();
    await withSound(world, png(4, 4), 'a.mp3');
    const job = await analyzed(world);
    expect(job.status, JSON.stringify(job)).toBe('FINISHED');
    expect(world.fake.orders).toMatchObject([
      { format: 'mkv', video: null, audio: { codec: 'pcm_s16le', streams: [0, 1] } },
    ]);
    expect(world.fake.open).toBe(0);
    const { end } = await done<{ end: string }>(world, ask('GET /API/item/VX-100/loudness'));
    expect(end).toBe('0.1');
  });

  it('waits for a transcoder, and media without sound fails with a sentence', async () => {
    const world = await openTranscoding();
    world.fake.missing = 'install something';
    await withSound(world, png(4, 4), 'a.mp3');
    const { jobId } = await done<JobSeen>(world, ask('POST /API/item/VX-100/analyze', '{}'));
    await world.service.tick();
    const answer = await world.send(ask(`GET /API/job/${jobId}`));
    expect([bodyOf<JobSeen>(answer).status, answer.body]).toEqual([
      'WAITING',
      expect.stringContaining('install something'),
    ]);
    const fileId = await fileWith(world, 'silent.mkv', await mkv({ sound: false }));
    const silent = await shapeWith(world, { containerComponent: { file: [{ id: fileId }] } }, 'silent');
    const failed = await analyzed(world, `/item/VX-100/shape/${silent}`);
    expect([failed.status, failed.log!.task.at(-1)!.errorMessage]).toEqual([
      'FAILED_TOTAL',
      expect.stringContaining('Expected media with sound'),
    ]);
  });
});
