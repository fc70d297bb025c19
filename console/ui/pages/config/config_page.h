#pragma once

#include "console/models/config_model.h"
#include "console/models/partition_map_model.h"
#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/pages/page.h"

class QMenu;
class QSplitter;
class QToolButton;

namespace fremis::console::ui {

class ApplySheet;
class ConfigEditor;
class DataTable;
class DiffView;
class EpochStrip;
class InfoBanner;
class Legend;
class PartitionMapView;
class MergeSheet;
class PageStack;
class ProblemPanel;
class Segmented;

/// One config.yml as table, as text and as map, with the problems of it, its history, and the way into the cluster.
/// Thread: GUI.
class ConfigPage final : public Page {
    Q_OBJECT

public:
    enum class View { Table, Text, Map, Diff };

    ConfigPage(const PageContext& context, QWidget* parent);

    void setView(View view);
    [[nodiscard]] View view() const;
    [[nodiscard]] ApplySheet& sheet() { return *m_sheet; }
    [[nodiscard]] bool isApplying() const;
    void exportCsv() override;
    void saveLayout(QSettings& settings) const override;
    void highlight(const PartitionSet& partitions) override;

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    std::optional<Placeholder> placeholder(const Snapshot& snapshot) const override;
    [[nodiscard]] bool needsConnection() const override;
    void retranslate() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void addActions();
    void addFileActions();
    [[nodiscard]] QWidget* makeEditor();
    void buildTools();
    void connectParts();
    void refreshDraft();
    void refreshPreview();
    void refreshActions();
    void refreshEpochs();
    void refreshKept();
    void fillHistory();
    void openSheet();
    void goTo(int line, int column);
    void editCell(int entry, const QByteArray& key, const QString& value);
    void splitEvenly();
    void insertNode();
    void insertNodeAt(const QString& text);
    void removeEntry();
    void sortEntries();
    /// Runs `then`, after a question when a draft would be lost.
    void askToDrop(const QString& what, std::function<base::Status()> then);
    void reload();
    void openFile();
    void report(const base::Status& status);
    [[nodiscard]] QString whyNotApplicable() const;
    [[nodiscard]] int chosenEntry() const;

    DraftDesk& m_desk;
    ConfigModel m_model;
    PartitionMapModel m_mapModel;
    SnapshotPtr m_preview;
    PageStack* m_modes; ///< editor, apply sheet, merge sheet
    PageStack* m_views;
    Segmented* m_choice;
    EpochStrip* m_epochs;
    InfoBanner* m_kept;
    DataTable* m_table;
    ConfigEditor* m_text;
    PartitionMapView* m_map;
    Legend* m_legend;
    DiffView* m_diff;
    ProblemPanel* m_problems;
    ApplySheet* m_sheet;
    MergeSheet* m_merge;
    QSplitter* m_splitter;
    QToolButton* m_historyButton;
    QToolButton* m_applyButton;
    QMenu* m_historyMenu;
    std::vector<QWidget*> m_editorTools; ///< hidden while the sheet is open
};

} // namespace fremis::console::ui
