import { basename } from 'node:path';
import type { ImportDraft } from '../../../../shared/api/imports.ts';
import { checkpointAfterRun } from '../../checkpoint/checkpoints.ts';
import { type ImportRequest, prepareImport, recordImport, refuseUnknown } from '../../imports/importPredictions.ts';
import { readPredictions } from '../../imports/predictionRows.ts';
import { refuseForeignPath } from '../../store/location.ts';
import { screenMessage } from '../failures.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { signingKey } from '../signingKey.ts';
import { orNever } from '../streams.ts';

/** Throws not-found for a file that is not at hand any more. */
function requestOf({ files }: Service, { upload, ...draft }: ImportDraft): ImportRequest {
  const { path, fileName } = files.upload(upload);
  refuseForeignPath(path, 'upload');
  return { ...draft, path, fileName };
}

export const imports = {
  preview: os.imports.preview.handler(({ context: service, input, signal }) =>
    service.queries.run('importPreview', requestOf(service, input), signal),
  ),

  make: os.imports.make.handler(async ({ context: service, input, signal }) => {
    const request = requestOf(service, input);
    const file = await readPredictions(request.path, request);
    const report = await service.store.write((store) => {
      refuseUnknown(store, request);
      return recordImport(store, prepareImport(store, request, file), {
        signal: orNever(signal),
        onProgress: () => service.store.checkPlace(),
        sign: (written) => checkpointAfterRun(written, signingKey(service.knownFaults), screenMessage),
        onTrial: (trial) => service.changes.trial(input.experiment, trial, 'line'),
      });
    });
    await service.files.release(input.upload);
    return { ...report, store: basename(report.store) };
  }),
};
