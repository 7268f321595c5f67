// Public data sets that language models have probably read in training.
import type { Contamination } from '../../shared/outputs.ts';

interface KnownDataSet {
  readonly title: string;
  readonly why: string;
  /** Names of files with commas between, as words in lower case, without words such as `train` or `sample`. */
  readonly files: string;
  /** Columns that few other tables have, with `_` between words; `least` of them recognise it. Text sets have none. */
  readonly columns?: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly hash?: string;
}

const least = 4;

const known: readonly KnownDataSet[] = [
  {
    title: 'COMPAS (ProPublica)',
    why: 'the table is on GitHub and Kaggle and in many courses and papers on fairness',
    files: 'compas, compas scores, compas scores raw, compas scores two years, compas scores two years violent',
    columns: 'two_year_recid decile_score juv_fel_count juv_misd_count juv_other_count priors_count c_charge_degree',
    hash: 'ecd015de16168c5fa92107a5fc4092b26ada6549ae7c5fe5a7bce1c518f4d729',
  },
  {
    title: 'German credit (UCI Statlog)',
    why: 'the table has been in the UCI repository since 1994 and is on Kaggle and OpenML',
    files: 'german, german credit, german credit risk, credit g, statlog german credit',
    columns: `checking_status credit_history savings savings_status personal_status personal_status_sex other_debtors other_parties
      residence_since residence_since_years installment_rate_pct installment_commitment other_installment_plans other_payment_plans
      existing_credits foreign_worker property_magnitude`,
    hash: 'c9ebb626c9acc51e413d1f13c357b4151503333fb5c0a512e0c37f967883c8c5',
  },
  {
    title: 'Adult, or census income (UCI)',
    why: 'the table is in the UCI repository, on Kaggle and in many libraries; Bordt et al. (2024) test models for memory of it',
    files: 'adult, adult income, adult census, adult census income, census income',
    columns: 'fnlwgt education_num educational_num marital_status capital_gain capital_loss hours_per_week native_country',
  },
  {
    title: 'NLSY97, the table on recidivism',
    why: 'the table is in the public repository of the paper on AgenticSimLaw',
    files: 'nlsy97, nlsy97 recidivism',
    columns: 'numberofarrestsby2002 y_arrestedafter2002 convictedby2002 godhasnothingtodo marijuana_anydrug hhsize97',
    hash: '01cdeee806428e9405222af9d428a6a41c8696baff9571eb2ef0a2f0f167b9a0',
  },
  {
    title: 'Supreme Court decisions (SCDB, LexGLUE SCOTUS)',
    why: 'the opinions are public, famous and discussed everywhere, with their outcomes',
    files: 'scotus, scdb, lex glue scotus, lexglue scotus, supreme court',
    columns: 'caseissuesid decisiondirection partywinning issuearea majopinwriter minvotes docketid uscite',
  },
  {
    title: 'Disease symptom prediction (Kaggle)',
    why: 'the table and notebooks with its answers are on Kaggle and GitHub',
    files: 'disease symptom, disease symptoms, symptom2disease',
    columns: 'disease symptom_1 symptom_2 symptom_3 symptom_4 symptom_5',
    hash: '2a7e863b3bd9f8ab2069a3975e00284c2862dd7905897f95f83ae1d2a8262d2f',
  },
  {
    title: 'Titanic passengers (Kaggle)',
    why: 'the table is the first exercise of many courses; Bordt et al. (2024) test models for memory of it',
    files: 'titanic',
    columns: 'survived pclass sibsp parch embarked fare',
  },
  {
    title: 'Pima Indians diabetes (UCI, Kaggle)',
    why: 'the table is in many courses and libraries; Bordt et al. (2024) test models for memory of it',
    files: 'diabetes, pima, pima indians diabetes',
    columns: 'pregnancies glucose bloodpressure skinthickness insulin diabetespedigreefunction',
  },
  {
    title: 'RTE (GLUE)',
    why: 'GLUE is on Hugging Face with the labels of its training and development parts, and is part of instruction data',
    files: 'rte, glue rte',
    hash: 'a24a1db3401dda7a93c25e54261e5f94d547e1b7e0765c52571741b0da57ddd9',
  },
  {
    title: 'BoolQ (SuperGLUE)',
    why: 'SuperGLUE is on Hugging Face with the labels of its training and development parts, and is part of instruction data',
    files: 'boolq, super glue boolq, superglue boolq',
    hash: '090783ea221a491a3a4638dd985bd2d956ca218ddb37864fc8a612cb8ea5f4a5',
  },
  {
    title: 'Emotion (CARER)',
    why: 'the messages are on Hugging Face with their labels, and are part of instruction data',
    files: 'emotion, emotions, carer, dair ai emotion',
    hash: '8ae97ae4ab830cb4187cf13ca8c1240a0e844de7c467c832716105388d2ce490',
  },
  {
    title: 'a benchmark of texts (GLUE, SuperGLUE, IMDB, SNLI and the like)',
    why: 'the texts are on Hugging Face with their labels, and are part of instruction data',
    files:
      'mnli, snli, anli, qnli, mrpc, qqp, cola, sst2, sst 2, imdb, wic, wsc, copa, multirc, ag news, fever, hellaswag, mmlu, truthfulqa',
  },
];

/** Words of a file's name that say which part or state of a data set it is. */
const aside =
  /^(?:train|test|dev|val|valid|validation|data|dataset|full|all|small|mini|sample|subset|clean|cleaned|original|raw|v?\d+)$/;

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const signs = { content: 'its content', columns: 'its columns', file: 'the name of the file' } as const;

const textOf = ({ title, why }: KnownDataSet, by: Contamination['recognised_by']) =>
  `The data look like ${title}, by ${signs[by]}. Models may have seen these cases in training, and accuracy on them may say little about new cases: ${why}.`;

export interface DataFileFacts {
  /** Its name, with or without folders. */
  readonly file: string;
  readonly columns: readonly string[];
  /** Whether its bytes have this SHA-256, hexadecimal. */
  hasHash(hash: string): boolean;
}

/** The public data set that a file seems to be a copy of, and what says so; null where it is none that is listed here. */
export function contaminationOf({ file, columns, hasHash }: DataFileFacts): Contamination | null {
  const [base = ''] = (file.replaceAll('\\', '/').split('/').at(-1) ?? '').split('.');
  const all = wordsOf(base);
  const names = new Set([all, all.filter((word) => !aside.test(word))].map((words) => words.join(' ')));
  const own = new Set(columns.map((column) => wordsOf(column).join('_')));
  const tests = [
    ['content', (set: KnownDataSet) => set.hash !== undefined && hasHash(set.hash)],
    ['columns', (set: KnownDataSet) => (set.columns?.split(/\s+/) ?? []).filter((column) => own.has(column)).length >= least],
    ['file', (set: KnownDataSet) => set.files.split(', ').some((name) => names.has(name))],
  ] as const;
  for (const [by, fits] of tests) {
    const set = known.find(fits);
    if (set !== undefined) return { data_set: set.title, recognised_by: by, why: set.why, text: textOf(set, by) };
  }
  return null;
}
