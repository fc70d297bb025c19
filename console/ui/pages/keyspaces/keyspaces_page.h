#pragma once

#include "console/models/keyspace_model.h"
#include "console/ui/pages/page.h"

class QLabel;

namespace fremis::console::ui {

class DataTable;
class FaceBrowser;
class FilterLine;
class PropertyList;
class Sparkline;

/// Keyspaces: what they hold, made, deleted, and their faces by pages. Thread: GUI.
class KeyspacesPage final : public Page {
    Q_OBJECT

public:
    KeyspacesPage(const PageContext& context, QWidget* parent);
    void focusFilter() override;
    void exportCsv() override;
    void saveLayout(QSettings& settings) const override;

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    std::optional<Placeholder> placeholder(const Snapshot& snapshot) const override;
    void onPlaceholderAction() override { create(); }
    void retranslate() override;

private:
    void showFaceCount();
    void addActions();
    void create();
    void createNamed(const QString& name);
    void remove();
    [[nodiscard]] QString deleteConsequences(const QString& name) const;

    KeyspaceModel m_model;
    DataTable* m_table;
    FilterLine* m_filter;
    PropertyList* m_limits;
    QLabel* m_spreadTitle;
    Sparkline* m_spread;
    FaceBrowser* m_faces;
};

} // namespace fremis::console::ui
