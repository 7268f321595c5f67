// The request by which a page says that it has a frame of a stream.
import { os } from '../os.ts';

export const streams = {
  acknowledge: os.streams.acknowledge.handler(({ context, input: { stream, frame } }) => {
    context.streams.acknowledge(stream, frame);
    return {};
  }),
};
