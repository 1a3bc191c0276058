// picture.begin, picture.part: a picture that a client's person pastes comes to the host of the program.
import type { Family } from './handler.ts';

export const pictureHandlers: Family<'picture'> = {
  'picture.begin': async ({ pictures }, params, client) => {
    const picture = await pictures.begin(params);
    if (picture !== null) client.disposers.push(() => void pictures.drop(picture));
    return { picture };
  },
  'picture.part': async ({ pictures }, { picture, bytes }) => ({ path: await pictures.part(picture, Buffer.from(bytes, 'base64')) }),
};
