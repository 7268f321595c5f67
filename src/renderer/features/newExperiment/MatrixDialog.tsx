import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type MatrixArm, matrixArms, matrixSize, mostMatrixArms } from '../../../core/matrix/matrix.ts';
import type { BackendChoice } from '../../../shared/api/engine.ts';
import { mostDraftArms } from '../../../shared/api/experiments.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { quantity } from '../../ui/quantity.ts';
import { TagsField } from '../../ui/TagsField.tsx';
import { type CasesOfKind, protocolChoices } from '../protocols/acceptance.ts';
import { modelsAt, type Preferred } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import { sameModel } from '../runtime/installed.ts';
import { useEnsembles } from '../runtime/runtimeQueries.ts';
import { tooManyArms, wayText } from './draft.ts';
import { Choices, toggled, type Varied, VariedFold } from './VariedFold.tsx';

const unvaried: Varied = { params: {}, cast: {} };

export function MatrixDialog({
  cases,
  backend,
  preferred,
  onMake,
  onClose,
}: {
  cases: CasesOfKind;
  backend: BackendChoice;
  preferred: Pick<Preferred, 'server' | 'model'>;
  onMake: (arms: readonly MatrixArm[]) => void;
  onClose: () => void;
}) {
  const listed = modelsAt(useFound(), backend, preferred.server);
  const lists = (useEnsembles(true).data ?? []).filter(({ problem }) => problem === null);
  const choices = protocolChoices(cases).filter(({ disabled }) => disabled !== true);
  const [protocols, setProtocols] = useState<readonly string[]>([]);
  const [models, setModels] = useState<readonly string[]>([preferred.model]);
  const [varied, setVaried] = useState<Readonly<Record<string, Varied>>>({});
  const [without, setWithout] = useState<readonly string[]>([]);
  const asked = choices.map(({ id }) => id).filter((id) => protocols.includes(id));
  const matrix = {
    models: [...models],
    protocols: Object.fromEntries(asked.map((id) => [id, varied[id] ?? unvaried])),
    exclude: [],
  };
  const size = matrixSize(matrix);
  const arms = size > mostMatrixArms ? [] : matrixArms(matrix);
  const chosen = arms.filter(({ name }) => !without.includes(name));
  const count = arms.length === 0 ? size : chosen.length;
  const tooMany = count > mostDraftArms;
  const ways = [...new Set(arms.map(wayText))];
  const missing =
    backend === 'standin' || listed.length === 0
      ? []
      : models.filter((model) => !listed.some((other) => sameModel(other, model)));
  return (
    <ModalDialog
      title="Arms from models and protocols"
      isWide
      onClose={onClose}
      cancel="Cancel"
      actions={
        <Button look="primary" isDisabled={chosen.length === 0 || tooMany} onPress={() => onMake(chosen)}>
          {chosen.length === 0 ? 'Make the arms' : `Make ${quantity(chosen.length, 'arm')}`}
        </Button>
      }
    >
      <Choices legend="Protocols" choices={choices} chosen={protocols} onChange={setProtocols} />
      {asked.map((id) => (
        <VariedFold
          key={id}
          protocol={id}
          varied={varied[id] ?? unvaried}
          onChange={(now) => setVaried({ ...varied, [id]: now })}
        />
      ))}
      {listed.length === 0 ? null : (
        <Choices
          legend={backend === 'standin' ? 'Names for the demo model' : 'Models of the server'}
          choices={listed.map((model) => ({ id: model, label: <HiddenText text={model} /> }))}
          chosen={models}
          onChange={setModels}
        />
      )}
      <TagsField
        label="Further models"
        noun="model"
        placeholder="qwen2.5:7b"
        values={models.filter((model) => !listed.includes(model))}
        onAdd={(model) => setModels([...models, model])}
        onRemove={(model) => setModels(toggled(models, model))}
      />
      {lists.length === 0 ? null : (
        <div className="row gap-8">
          {lists.map(({ id, title, models: members }) => (
            <Button
              key={id}
              icon={Plus}
              size="small"
              onPress={() => setModels([...new Set([...models, ...members.map(({ name }) => name)])])}
            >
              {title}
            </Button>
          ))}
        </div>
      )}
      {missing.length === 0 ? null : (
        <p className="text-warn wrap-anywhere">
          The server does not have {missing.length === models.length ? 'these models' : `${missing.length} of these models`}:{' '}
          <HiddenText text={missing.join(', ')} />. The plan says how to get them.
        </p>
      )}
      {tooMany ? (
        <p className="text-bad" role="alert">
          {tooManyArms(count)}
        </p>
      ) : null}
      {size === 0 ? (
        <p className="quiet">Choose protocols and models: each pair becomes an arm.</p>
      ) : arms.length === 0 ? null : (
        <DataTable
          label="Arms to make"
          caption="Untick an arm to leave it out."
          close
          rows={models}
          keyOf={(model) => model}
          columns={[
            { title: 'model', look: 'unbroken', cell: (model) => <Isolated text={model} /> },
            ...ways.map((way) => ({
              title: way,
              cell: (model: string) => {
                const arm = arms.find((each) => each.model === model && wayText(each) === way);
                return arm === undefined ? null : (
                  <Checkbox isSelected={!without.includes(arm.name)} onChange={() => setWithout(toggled(without, arm.name))}>
                    <span className="visually-hidden">
                      {way} with <Isolated text={model} />
                    </span>
                  </Checkbox>
                );
              },
            })),
          ]}
        />
      )}
    </ModalDialog>
  );
}
