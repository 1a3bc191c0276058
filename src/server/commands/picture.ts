// picture.begin, picture.part: a picture that a client's person pastes comes to the host of the program.
import type { Family } from './handler.ts';

export const pictureHandlers: Family<'picture'> = {
  'picture.begin': async ({ pictures }, params, client) => ({ picture: await pictures.begin(params, client) }),
  'picture.part': async ({ pictures }, { picture, bytes }) => ({ path: await pictures.part(picture, Buffer.from(bytes, 'base64')) }),
};
